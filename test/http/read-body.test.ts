import { expect, it } from "vitest";
import { bodyOf } from "@/server/http/read-body";

const CHUNKS = 20;

function sent(): { request: Request; left: () => number; over: () => boolean } {
  let [left, over] = [CHUNKS, false];
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (left === 0) return stream.close();
      left -= 1;
      stream.enqueue(new Uint8Array(1000));
    },
    cancel() {
      over = true;
    },
  });
  const request = new Request("http://127.0.0.1/", { method: "POST", body, duplex: "half" } as RequestInit);
  return { request, left: () => left, over: () => over };
}

it("lets pass what comes after the reader stopped, so that the sender's connection is free again", async () => {
  const { request, left, over } = sent();
  for await (const chunk of bodyOf(request)) {
    expect(chunk).toHaveLength(1000);
    break;
  }
  await expect.poll(left).toBe(0);
  expect(over()).toBe(false);
});
