/** Reads an answer of server-sent events as a browser would. */
export class EventReader<E extends { type: string }> {
  /** Everything that came, in order. */
  readonly heard: E[] = [];
  private readonly reader: ReadableStreamDefaultReader<string>;
  private text = "";

  constructor(answer: Response) {
    if (!answer.ok || !answer.body) throw new Error(`no stream but ${answer.status}`);
    this.reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event; comments and empty ones are passed over. Throws at the end of the stream. */
  async next(): Promise<E> {
    for (;;) {
      const end = this.text.indexOf("\n\n");
      if (end < 0) {
        const { done, value } = await this.reader.read();
        if (done) throw new Error("the stream ended");
        this.text += value;
        continue;
      }
      const data = /^data: (.*)$/m.exec(this.text.slice(0, end))?.[1];
      this.text = this.text.slice(end + 2);
      if (data === undefined || data === "{}") continue;
      const event = JSON.parse(data) as E;
      this.heard.push(event);
      return event;
    }
  }

  /** The next event of a type. */
  async until(type: E["type"]): Promise<E> {
    for (;;) {
      const event = await this.next();
      if (event.type === type) return event;
    }
  }

  leave(): Promise<void> {
    return this.reader.cancel();
  }
}
