/** Small bodies, JSON or YAML by content type. */
import { parse as parseYaml } from "yaml";
import { CoalmineError } from "@/server/domain/errors";

/** A config is text that people write; more than this is a mistake. */
const MOST_BYTES = 1024 * 1024;

/** Throws `too_large`, `unsupported` for another content type, `invalid` for text that cannot be read. */
export async function readBody(request: Request): Promise<unknown> {
  const type = (request.headers.get("content-type") ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  const json = /^application\/(.+\+)?json$/.test(type);
  const yaml = /^(application|text)\/(x-)?(.+\+)?yaml$/.test(type);
  if (!json && !yaml) {
    throw new CoalmineError(
      "unsupported",
      `Content-Type: ${type || "none"} is neither application/json nor application/yaml`,
    );
  }
  const text = await readText(request);
  if (text.trim() === "") throw new CoalmineError("invalid", "body: is empty");
  try {
    return json ? JSON.parse(text) : parseYaml(text, { maxAliasCount: 100 });
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new CoalmineError("invalid", `body: cannot be read as ${json ? "JSON" : "YAML"}: ${why}`);
  }
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bodyOf(request)) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new CoalmineError("too_large", "body: more than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What a sender may still send after its answer, so that its connection is free for the next request. */
const REST_BYTES = 64 * 1024 * 1024;
const REST_MS = 5_000;

/** The body's bytes as they come. Throws `invalid` when the sender breaks it off; what comes after the reader stopped is let pass. */
export async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (done) return;
      yield value;
    }
  } finally {
    void letPass(reader);
  }
}

/** Reads the rest away: a request that is left half read blocks its connection, and the sender's next one on it fails. */
async function letPass(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => reader.cancel().catch(() => undefined);
  const timer = setTimeout(cancel, REST_MS);
  timer.unref();
  for (let left = REST_BYTES; left > 0; ) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) break;
    left -= value.byteLength;
  }
  clearTimeout(timer);
  await cancel();
}

/** The sender went away, or its connection did. */
function brokenOff(cause: unknown): never {
  throw new CoalmineError("invalid", "body: was broken off before its end; nothing of it was kept", { cause });
}
