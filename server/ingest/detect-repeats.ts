/**
 * Opens Fluent Bit records whose Kubernetes block was seen before without parsing them: most of such a line never changes.
 * A block is first opened by the envelope itself, and remembered only when the short way gives the very same payload.
 */
import { isDeepStrictEqual } from "node:util";
import { BlockSkimmer } from "./detect-skim";
import type { Envelope, Format, Payload, Who } from "./format";
import { epochMs } from "./formats/times";

/** Collectors' field order; a record written otherwise takes the long way. */
const HEAD = /^\{"date":(\d{10}(?:\.\d{1,9})?)(,"stream":"(?:stdout|stderr)",(?:"logtag":"F",)?"log":")/;
const BLOCK = '","kubernetes":{';
/** The text of a JSON log line, escaped once: no runtime's or worker's prefix can stand before it. */
const JSON_TEXT = '{\\"level\\":\\"';
const MOST_BLOCKS = 20_000;

export class RepeatedBlocks<Memo> {
  /** By what stands before the text (without the time), then by the block; null: not to be opened the short way. */
  private blocks = new Map<string, Map<string, Who | null>>();
  private size = 0;
  private readonly skimmer: BlockSkimmer<Memo>;
  private readonly envelope: Envelope | undefined;

  /** `share` is told of each `who` that will be given again, the same object each time. */
  constructor(
    readers: { envelopes: readonly Envelope[]; formats: readonly Format[] },
    private readonly share: (who: Who) => void,
  ) {
    this.envelope = readers.envelopes.find((one) => one.name === "fluent-bit");
    this.skimmer = new BlockSkimmer<Memo>(readers.formats);
  }

  /** Reads routine lines from their bytes; null while no block is known. */
  get skim(): BlockSkimmer<Memo> | null {
    return this.size > 0 ? this.skimmer : null;
  }

  /** Null when the line is for the envelopes. */
  open(line: string, number: number): Payload | null {
    if (!this.envelope) return null;
    const head = HEAD.exec(line);
    if (!head || !line.startsWith(JSON_TEXT, head[0].length)) return null;
    const [start, date = "", before = ""] = head;
    const end = line.indexOf(BLOCK, start.length);
    if (end < 0) return null;
    const block = line.slice(end);
    const known = this.blocks.get(before)?.get(block);
    if (known === null) return null;
    const text = unescaped(line.slice(start.length, end));
    if (text === null) return null;
    const payload: Payload = { who: known ?? {}, at: epochMs(Number(date)), text, line: number };
    return known ? payload : this.learn(this.envelope, [before, block], line, payload);
  }

  private learn(
    envelope: Envelope,
    key: [before: string, block: string],
    line: string,
    short: Payload,
  ): Payload | null {
    const opened = envelope.open(line, short.line);
    const long = opened && "payloads" in opened && opened.payloads.length === 1 ? opened.payloads[0] : undefined;
    const same = long && isDeepStrictEqual({ ...short, who: null }, { ...long, who: null });
    this.remember(key, same ? long.who : null);
    if (!same) return null;
    this.share(long.who);
    return long;
  }

  private remember([before, block]: [before: string, block: string], who: Who | null): void {
    if (this.size >= MOST_BLOCKS) {
      this.blocks = new Map();
      this.size = 0;
      this.skimmer.clear();
    }
    this.size++;
    if (who !== null) this.skimmer.add(before, block, who);
    const group = this.blocks.get(before) ?? new Map<string, Who | null>();
    // A copy: the piece of the line would keep the whole chunk that it was cut from.
    group.set(Buffer.from(block).toString(), who);
    this.blocks.set(before, group);
  }
}

/** A JSON string's inside as text, without a newline at its end; null when it is no JSON string. */
function unescaped(raw: string): string | null {
  try {
    return (JSON.parse(`"${raw}"`) as string).replace(/\r?\n$/, "");
  } catch {
    return null;
  }
}
