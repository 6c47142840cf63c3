/** Bytes of one delivery → records: decides between lines and documents by the beginning of the body, then reads on as a stream. */
import { CoalmineError, type ErrorCode } from "@/server/domain/errors";
import { DocumentSplitter } from "./detect-documents";
import { isJsonPrefix, JsonBoundary } from "./detect-json";
import { LineReader } from "./detect-lines";
import { chooseReaders, type Readers } from "./detect-names";
import type { FormatContext } from "./format";
import { LineSplitter, MAX_LINE_BYTES } from "./lines";
import type { RowSink } from "./sink";
import { wholeCharacters } from "./whole-characters";

const HEAD_BYTES = 64 * 1024;

interface Splitter {
  push(chunk: Uint8Array): void;
  end(): void;
}

export class DeliveryReader {
  private held: Buffer[] = [];
  private heldBytes = 0;
  /** Bytes to hold before the next look; grows, so that a long first line is not scanned again for each chunk. */
  private lookAt = HEAD_BYTES;
  private splitter: Splitter | null = null;
  private readonly lines: LineReader;
  private readonly namesDocument: boolean;
  private firstReject: { code: string; sample: string } | null = null;

  /** Throws `invalid` when the call names a format that does not exist. */
  constructor(
    private readonly context: FormatContext,
    private readonly sink: RowSink,
    readers: Readers,
  ) {
    const chosen = chooseReaders(context.params.format, readers);
    this.namesDocument = chosen.format?.unit === "document";
    this.lines = new LineReader(chosen, sink, context);
  }

  /** Takes a chunk of decoded bytes; it may be reused after the call. */
  push(chunk: Uint8Array): void {
    if (this.splitter) {
      this.splitter.push(chunk);
      return;
    }
    this.held.push(Buffer.from(chunk));
    this.heldBytes += chunk.length;
    if (this.heldBytes >= this.lookAt) this.decide(false);
  }

  end(): void {
    if (!this.splitter) this.decide(true);
    this.splitter?.end();
    this.lines.end();
  }

  /** Records were seen and none of them was understood. */
  get nothingUnderstood(): boolean {
    return this.lines.understood === 0 && this.lines.notUnderstood > 0;
  }

  /** The format that read most, `auto` when none did. */
  get format(): string {
    const { format } = this.context.params;
    if (format !== "auto") return format;
    const most = [...this.lines.readBy].sort((a, b) => b[1] - a[1])[0];
    return most ? most[0] : format;
  }

  /** Why a body in which nothing was understood is refused. */
  refusal(): CoalmineError {
    const { code, sample } = this.firstReject ?? { code: "unknown_format", sample: "" };
    const codes: Record<string, ErrorCode> = { unknown_format: "unsupported", too_large: "too_large" };
    const begins = sample === "" ? "" : ` It begins: ${JSON.stringify(sample.slice(0, 120))}`;
    const count = this.lines.notUnderstood;
    const records = count === 1 ? "The only record" : `None of ${count} records`;
    const why = count === 1 ? `was not understood (${code}).` : `was understood (first: ${code}).`;
    return new CoalmineError(codes[code] ?? "invalid", `${records} ${why}${begins}`);
  }

  private decide(ended: boolean): void {
    const bytes = Buffer.concat(this.held);
    const mode = modeOf(bytes, ended, this.namesDocument);
    if (mode === "wait") {
      this.held = [bytes];
      this.lookAt = this.heldBytes * 2;
      return;
    }
    this.lines.look(headText(bytes));
    this.splitter = mode === "lines" ? this.lineSplitter() : this.documentSplitter(mode === "whole");
    this.held = [];
    this.splitter.push(bytes);
  }

  private lineSplitter(): Splitter {
    return new LineSplitter({
      skim: () => this.lines.skim(),
      line: (text, number, terminated) => this.read(text, (whole) => this.lines.line(whole, number, terminated)),
      bad: (number, code, message, sample) => this.bad(number, code, message, sample),
    });
  }

  private documentSplitter(whole: boolean): Splitter {
    const handler = {
      document: (text: string, line: number) => this.read(text, (whole) => this.document(whole, line)),
      bad: (line: number, code: "too_large" | "incomplete" | "invalid_utf8", message: string, sample: string) =>
        this.bad(line, code, message, sample),
    };
    return new DocumentSplitter(handler, whole);
  }

  /** What no document reader opens is read as if each object in it stood on a line. */
  private document(text: string, line: number): void {
    if (this.lines.document(text, line)) return;
    let root: unknown;
    try {
      root = JSON.parse(text);
    } catch {
      this.bad(line, "invalid_json", "the document is not valid JSON", text.slice(0, 500));
      return;
    }
    this.lines.items(Array.isArray(root) ? root : [root], line);
  }

  private bad(
    line: number,
    code: "too_large" | "incomplete" | "invalid_utf8" | "invalid_json",
    message: string,
    sample: string,
  ): void {
    this.firstReject ??= { code, sample };
    this.lines.unread(line, code, message, sample);
  }

  /** Gives on a text of whole characters, and keeps the first that was not understood, to say what was seen. */
  private read(given: string, read: (text: string) => void): void {
    const text = wholeCharacters(given);
    const before = this.lines.notUnderstood;
    read(text);
    if (this.lines.notUnderstood > before)
      this.firstReject ??= { code: this.sink.lastReject, sample: text.slice(0, 200) };
  }
}

/** `wait`: more of the first line is needed to tell a long line from a document. */
function modeOf(bytes: Buffer, ended: boolean, namesDocument: boolean): "lines" | "documents" | "whole" | "wait" {
  if (!isJsonPrefix(headText(bytes))) return namesDocument ? "whole" : "lines";
  let start = 0;
  while (start < bytes.length && bytes[start] !== 123 && bytes[start] !== 91) start++;
  const end = new JsonBoundary().endIn(bytes, start);
  const newline = bytes.indexOf(10, start);
  if (newline >= 0 && (end < 0 || newline < end)) return "documents";
  if (end >= 0 || ended) return "lines";
  // One line so long that it can only be read as a document.
  return bytes.length > MAX_LINE_BYTES ? "documents" : "wait";
}

/** The head as text, without a character that the cut tore apart. */
function headText(bytes: Buffer): string {
  const text = bytes
    .subarray(0, HEAD_BYTES)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  return bytes.length > HEAD_BYTES ? text.replace(/\uFFFD+$/, "") : text;
}
