import { Readable, Writable } from "node:stream";
import type { Terminal } from "@/server/cli/terminal";

export interface TestTerminal extends Terminal {
  out(): string;
  err(): string;
}

function collector(): { stream: Writable; text: () => string } {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/** A terminal whose output can be read back; `piped` is what stands in its standard input. */
export function testTerminal(env: Record<string, string>, piped = ""): TestTerminal {
  const [out, err] = [collector(), collector()];
  return {
    stdin: Readable.from([Buffer.from(piped)]),
    stdout: out.stream,
    stderr: err.stream,
    env: { NODE_ENV: "test", ...env },
    out: out.text,
    err: err.text,
  };
}
