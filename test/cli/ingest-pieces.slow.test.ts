import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Api } from "@/server/cli/api";
import { fingerprintOf, sendInPieces } from "@/server/cli/ingest-pieces";
import type { Input } from "@/server/cli/inputs";
import type { Progress } from "@/server/cli/progress";
import type { IngestResult } from "@/server/domain/batch";
import { Uploads } from "@/server/uploads/uploads";
import { type RealServer, realServer } from "../http/real-services";
import { ApiServer } from "./api-server";

const ROW = (task: number): string =>
  `${JSON.stringify({ _ng_task_index: task, _ng_rollout_index: 0, reward: 1, instance_id: `t-${task}`, pad: "x".repeat(2000) })}\n`;
const BODY = Array.from({ length: 300 }, (_, task) => ROW(task)).join("");

let folder: string;
let input: Input;
let real: RealServer;
let server: ApiServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "coalmine-pieces-"));
  const path = join(folder, "exp.jsonl");
  writeFileSync(path, BODY);
  input = { path, name: "exp.jsonl", bytes: BODY.length, encoding: null, runOfName: "exp" };
  real = await realServer();
  real.services.uploads = await openUploads();
  server = new ApiServer(real);
  await server.open();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function openUploads(): Promise<Uploads> {
  const { ingest } = real.services;
  return Uploads.open({ folder: join(folder, "uploads"), mostBytes: 10_000_000, maxBodyBytes: 10_000_000, ingest });
}

interface Sent {
  result: Promise<IngestResult>;
  notes: string[];
  /** Bytes that the progress bar stands at. */
  bar(): number;
}

/** `after` happens once when so many bytes have left. */
function send(after?: { bytes: number; happens: () => void }): Sent {
  const notes: string[] = [];
  let bar = 0;
  let waiting = after;
  const progress: Progress = {
    begin: () => undefined,
    sent(bytes) {
      bar += bytes;
      if (!waiting || bar < waiting.bytes) return;
      const { happens } = waiting;
      waiting = undefined;
      happens();
    },
    again: (bytes) => {
      bar -= bytes;
    },
    note: (text) => notes.push(text),
    done: () => undefined,
  };
  const api = new Api({ env: { NODE_ENV: "test", COALMINE_URL: server.url } });
  const params = { run: "exp", format: "auto" };
  const result = sendInPieces(api, input, { params, progress, pieceBytes: 100_000, chunkBytes: 5000, patienceS: 20 });
  return { result: result.finally(() => api.close()), notes, bar: () => bar };
}

describe("a large file", () => {
  test("arrives whole, and the bar stands at its size", async () => {
    const sent = send();
    expect(await sent.result).toMatchObject({ rollouts: 300, duplicateBatch: false, bytes: BODY.length });
    expect(sent.bar()).toBe(BODY.length);
    expect(await real.json("/runs/exp")).toMatchObject({ rollouts: 300 });
  });

  test("goes on after its connection was cut in the middle", async () => {
    const sent = send({
      bytes: 250_000,
      happens: () => server.cut(),
    });
    expect(await sent.result).toMatchObject({ rollouts: 300 });
    expect(sent.bar()).toBe(BODY.length);
    expect((await real.store.batches({}, { limit: 9, cursor: null })).items).toHaveLength(1);
  });

  test("goes on after the server was away for a while", async () => {
    const sent = send({
      bytes: 250_000,
      happens: () => {
        void server.close().then(async () => {
          real.services.uploads = await openUploads();
          setTimeout(() => void server.open(), 300);
        });
      },
    });
    expect(await sent.result).toMatchObject({ rollouts: 300 });
    expect(sent.notes.some((note) => /trying again|going on/.test(note))).toBe(true);
  });

  test("goes on where an earlier call of the program had stopped", async () => {
    const json = { name: "exp.jsonl", size: BODY.length, params: { run: "exp", format: "auto" } };
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ ...json, fingerprint: await fingerprintOf(input) });
    const { id } = await real.json<{ id: string }>("/uploads", { method: "POST", headers, body });
    await real.call(`/uploads/${id}?offset=0`, { method: "PUT", body: BODY.slice(0, 300_000) });
    const sent = send();
    expect(await sent.result).toMatchObject({ rollouts: 300 });
    expect(sent.notes.join()).toMatch(/going on at 4\d %/);
  });

  test("that nothing answers to is not waited for", async () => {
    await server.close();
    const sent = send();
    await expect(sent.result).rejects.toThrow(/Cannot reach/);
    expect(sent.notes).toEqual([]);
  });
});

describe("the fingerprint of a file", () => {
  test("changes with its end, its size and its time, and not otherwise", async () => {
    const first = await fingerprintOf(input);
    expect(await fingerprintOf(input)).toBe(first);
    const { atime, mtime } = statSync(input.path);
    writeFileSync(input.path, `${BODY.slice(0, -2)}y\n`);
    utimesSync(input.path, atime, mtime);
    expect(await fingerprintOf(input)).not.toBe(first);
    writeFileSync(input.path, BODY);
    utimesSync(input.path, atime, new Date(mtime.getTime() + 1000));
    expect(await fingerprintOf(input)).not.toBe(first);
  });
});
