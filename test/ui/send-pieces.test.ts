import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiError, apiError } from "@/app/_client/api";
import { fingerprintOf } from "@/app/ingest/file-fingerprint";
import { type PieceCalls, sendPieces } from "@/app/ingest/send-pieces";
import type { UploadAnswer } from "@/server/domain/upload";
import { Uploads } from "@/server/uploads/uploads";
import { type RealServer, realServer } from "../http/real-services";

const BODY = Array.from(
  { length: 50 },
  (_, task) =>
    `${JSON.stringify({ _ng_task_index: task, _ng_rollout_index: 0, reward: 1, instance_id: `t-${task}` })}\n`,
).join("");
const FILE = new File([BODY], "exp.jsonl", { lastModified: 1_790_000_000_000 });

let folder: string;
let server: RealServer;
let uploads: Uploads;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-pieces-"));
  server = await realServer();
  uploads = await Uploads.open({ folder, mostBytes: 1e7, maxBodyBytes: 1e7, ingest: server.services.ingest });
  server.services.uploads = uploads;
});
afterEach(async () => {
  await uploads.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(path: string, init?: RequestInit): Promise<UploadAnswer> {
  const response = await server.call(path, init);
  if (!response.ok) throw apiError(response.status, await response.text(), response.headers.get("retry-after"));
  return (await response.json()) as UploadAnswer;
}

/** The API's own handler instead of the network between; `before` may throw as a network does. */
function calls(before: (what: string) => void = () => undefined): PieceCalls & { sent: number[] } {
  const sent: number[] = [];
  return {
    sent,
    create(asked) {
      const headers = { "content-type": "application/json" };
      return answer("/uploads", { method: "POST", headers, body: JSON.stringify(asked) });
    },
    get: (id) => answer(`/uploads/${id}`),
    async put(id, offset, body, onSent) {
      before(`put ${offset}`);
      const kept = await answer(`/uploads/${id}?offset=${offset}`, { method: "PUT", body });
      sent.push(offset);
      onSent(body.size);
      before(`answer ${offset}`);
      return kept;
    },
    complete: (id) => answer(`/uploads/${id}/complete`, { method: "POST" }),
  };
}

function send(through: PieceCalls, signal = new AbortController().signal, seen: number[] = []) {
  const target = { run: "exp", source: null };
  const onSent = (bytes: number) => seen.push(bytes);
  return sendPieces({
    file: FILE,
    name: FILE.name,
    target,
    signal,
    onSent,
    calls: through,
    pieceBytes: 1000,
    waitS: 0.01,
  });
}

/** Fails so many times at one place. */
function failing(at: string, error: Error, times = 1): (what: string) => void {
  let left = times;
  return (what) => {
    if (what === at && left-- > 0) throw error;
  };
}
const LOST = new ApiError(0, "unreachable", "lost");

describe("a large file from the page", () => {
  test("is sent in pieces, told as it goes, and read once", async () => {
    const seen: number[] = [];
    const result = await send(calls(), undefined, seen);
    expect(result).toMatchObject({ rollouts: 50, bytes: BODY.length });
    expect(seen.at(-1)).toBe(BODY.length);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(4);
  });

  test.each([
    ["a connection that is lost before a piece", "put 1000", LOST],
    ["an answer that is lost after a piece", "answer 1000", LOST],
    ["a busy server", "put 2000", new ApiError(429, "busy", "busy", 0)],
  ])("gets over %s", async (_what, at, error) => {
    expect(await send(calls(failing(at, error, 3)))).toMatchObject({ rollouts: 50 });
  });

  test("stops at what does not pass, and at a server that stays away", async () => {
    await expect(send(calls(failing("put 1000", new ApiError(403, "forbidden", "no"))))).rejects.toThrow("no");
    await expect(send(calls(failing("put 1000", new ApiError(429, "busy", "still busy", 0), 99)))).rejects.toThrow(
      "still busy",
    );
  });

  test("goes on after a reload of the page, when the same file is chosen again", async () => {
    const leaving = new AbortController();
    const first = calls((what) => {
      if (what === "answer 2000") leaving.abort();
      if (leaving.signal.aborted) throw new DOMException("cancelled", "AbortError");
    });
    await expect(send(first, leaving.signal)).rejects.toThrow("cancelled");
    const second = calls();
    expect(await send(second)).toMatchObject({ rollouts: 50 });
    expect(second.sent[0]).toBe(3000);
  });
});

describe("the fingerprint of a chosen file", () => {
  test("is the same for the same file, and another for another end, size or time", async () => {
    const of = (parts: string[], lastModified = 1) => fingerprintOf(new File(parts, "x", { lastModified }));
    const long = "a".repeat(200_000);
    const first = await of([long]);
    expect(await of([long])).toBe(first);
    const others = await Promise.all([
      of([long], 2),
      of([long.slice(1)]),
      of([`${long.slice(1)}b`]),
      of([`b${long.slice(1)}`]),
    ]);
    expect(new Set([first, ...others]).size).toBe(5);
  });
});
