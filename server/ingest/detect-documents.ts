/** A body of JSON documents that span lines → one text per document. Only the document being read is held. */
import { isUtf8 } from "node:buffer";
import { countNewlines, JsonBoundary } from "./detect-json";

/** A larger document (bytes) is rejected; what follows it cannot be trusted to begin anywhere, so the body ends there. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const SAMPLE_BYTES = 500;

export interface DocumentHandler {
  /** `line` is the 1-based line on which the document begins. */
  document(text: string, line: number): void;
  bad(line: number, code: "too_large" | "incomplete" | "invalid_utf8", message: string, sample: string): void;
}

export class DocumentSplitter {
  private parts: Buffer[] = [];
  private bytes = 0;
  private line = 1;
  private failed = false;
  private readonly boundary = new JsonBoundary();

  /** With `whole` the body is one document of any syntax, given at its end. */
  constructor(
    private readonly handler: DocumentHandler,
    private readonly whole: boolean,
    private readonly maxBytes = MAX_DOCUMENT_BYTES,
  ) {}

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    while (!this.whole && !this.failed) {
      const end = this.boundary.endIn(bytes, from);
      if (end < 0) break;
      this.keep(bytes.subarray(from, end));
      this.flush();
      from = end;
    }
    if (from < bytes.length) this.keep(bytes.subarray(from));
  }

  end(): void {
    if (this.failed || this.bytes === 0) return;
    if (this.whole) {
      this.flush();
      return;
    }
    const text = Buffer.concat(this.parts).subarray(0, SAMPLE_BYTES).toString("utf8");
    if (text.trim() === "") return;
    const message = this.boundary.inside ? "the document ends before it is complete" : "text after the document's end";
    this.handler.bad(this.line, "incomplete", message, text);
  }

  private keep(bytes: Buffer): void {
    if (this.failed) return;
    this.parts.push(Buffer.from(bytes));
    this.bytes += bytes.length;
    if (this.bytes <= this.maxBytes) return;
    this.failed = true;
    const sample = this.parts[0]?.subarray(0, SAMPLE_BYTES).toString("utf8") ?? "";
    this.parts = [];
    const limit = `${Math.floor(this.maxBytes / 1024 / 1024)} MiB`;
    this.handler.bad(this.line, "too_large", `the document is larger than ${limit}`, sample);
  }

  private flush(): void {
    const body = Buffer.concat(this.parts);
    this.parts = [];
    this.bytes = 0;
    if (this.failed) return;
    const blank = leadingBlanks(body);
    const line = this.line + countNewlines(body.subarray(0, blank));
    this.line += countNewlines(body);
    const text = body.subarray(blank).toString("utf8");
    if (text.includes("\uFFFD") && !isUtf8(body)) {
      this.handler.bad(line, "invalid_utf8", "the document is not UTF-8 text", text.slice(0, SAMPLE_BYTES));
    } else if (text.trim() !== "") {
      this.handler.document(text, line);
    }
  }
}

/** Bytes of white space and byte order mark before the document. */
function leadingBlanks(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && [9, 10, 13, 32].includes(bytes[at] as number)) at++;
  return at;
}
