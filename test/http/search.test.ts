import { beforeAll, describe, expect, it } from "vitest";
import type { IncidentDetail } from "@/server/domain/answers";
import type { LinesAround, SearchAnswer, SearchBeside } from "@/server/domain/raw-lines";
import { madeBlock } from "../store/made-blocks";
import { deliver, madeIncident, madeObservation, settleIncidents, T0 } from "../store/made-rows";
import { type RealServer, realServer } from "./real-services";

const LOG = [
  "2026-11-27 10:00:00 INFO harness: sandbox sbx-1 created",
  "2026-11-27 10:00:05 ERROR harness: create failed: httpx.ReadError: Connection reset by peer",
  "2026-11-27 10:00:06 INFO harness: trying again",
];

let server: RealServer;
beforeAll(async () => {
  server = await realServer();
  const archive = [madeBlock(LOG, { at: T0, sender: { run: "exp-1", source: "harness.log" } })];
  const record = { layer: "record", kind: "error" } as const;
  const observations = [
    madeObservation({ key: "k1", line: 2, run: "exp-1" }),
    madeObservation({ key: "k2", line: 3, run: "exp-1", evidence: record }),
  ];
  await deliver(server.store, { id: "b1", run: "exp-1" }, { archive, observations });
  const [text = ""] = LOG.slice(1);
  await settleIncidents(server.store, [madeIncident({ id: "i1", run: "exp-1", summary: text, keys: ["k1", "k2"] })]);
});

describe("searching raw lines", () => {
  it("finds them with their place", async () => {
    const { items, next, looked } = await server.json<SearchAnswer>("/search?q=connection%20reset&run=exp-1");
    expect(items.map(({ batch, line, text, run, source }) => [batch, line, text, run, source])).toEqual([
      ["b1", 2, LOG[1], "exp-1", "harness.log"],
    ]);
    expect([next, looked]).toEqual([null, { blocks: 1, lines: 3, back: null }]);
  });

  it("can be had as CSV, whose next page is in the Link header", async () => {
    const answer = await server.call("/search?q=harness&limit=1", { headers: { accept: "text/csv" } });
    const csv = await answer.text();
    expect([answer.headers.get("content-type"), csv.trim().split("\r\n").length]).toEqual([
      "text/csv; charset=utf-8",
      2,
    ]);
    expect(answer.headers.get("link")).toMatch(/cursor=.*rel="next"/);
  });

  it.each([
    ["q=ab", "three letters"],
    ["q=onnect&parts=true", "within a run"],
    ["q=word&cursor=abc", "cursor"],
    ["q=word&from=yesterday", "from"],
    ["query=word", "query"],
  ])("refuses ?%s and says why", async (query, why) => {
    const answer = await server.call(`/search?${query}`);
    expect([answer.status, (await answer.json()).detail]).toEqual([400, expect.stringContaining(why)]);
  });

  it("shows incidents and rollouts whose own words match beside it", async () => {
    const beside = await server.json<SearchBeside>("/search/beside?q=connection%20reset");
    expect(beside.incidents.map((one) => one.run)).toEqual(["exp-1"]);
    expect(beside.rollouts).toEqual([]);
    expect((await server.json<SearchBeside>("/search/beside?q=absent")).incidents).toEqual([]);
  });
});

describe("evidence", () => {
  it("leads to its raw line, where it was one, and through that to the lines around it", async () => {
    const { lines } = await server.json<IncidentDetail>("/incidents/i1");
    expect(lines.map((one) => one.raw)).toEqual([{ batch: "b1", line: 2 }, null]);
    const { batch, line } = lines[0]?.raw ?? {};
    const around = await server.json<LinesAround>(`/lines?batch=${batch}&line=${line}`);
    expect([around.before.length, around.line.text, around.after.length]).toEqual([1, LOG[1], 1]);
  });
});

describe("a delivered log", () => {
  it("is found line by line, at the times it says, and never with a secret", async () => {
    const other = await realServer();
    const log = [
      "2026-11-27 10:00:00,250 ERROR harness: create failed",
      "2026-11-27 10:00:06 INFO harness: trying again, api_key=abcdef0123456789abcdef",
    ];
    const body = `${log.join("\n")}\n`;
    expect((await other.call("/ingest/auto?run=exp-2&source=harness.log", { method: "POST", body })).status).toBe(200);
    const { items } = await other.json<SearchAnswer>("/search?q=harness");
    expect(items.map(({ line, at, run }) => [line, at, run])).toEqual([
      [2, "2026-11-27T10:00:06.000Z", "exp-2"],
      [1, "2026-11-27T10:00:00.250Z", "exp-2"],
    ]);
    expect(items[0]?.text).toBe("2026-11-27 10:00:06 INFO harness: trying again, api_key=[redacted]");
    expect((await other.json<SearchAnswer>("/search?q=abcdef0123456789abcdef")).items).toEqual([]);
  });
});

describe("a line's neighbours", () => {
  it("are those of its stream before and after it", async () => {
    const { items } = await server.json<SearchAnswer>("/search?q=reset");
    const { batch = "", line = 0 } = items[0] ?? {};
    const around = await server.json<LinesAround>(`/lines?batch=${batch}&line=${line}&around=3`);
    expect([around.before.map((one) => one.line), around.line.line, around.after.map((one) => one.line)]).toEqual([
      [1],
      2,
      [3],
    ]);
    const one = await server.json<LinesAround>(`/lines?batch=${batch}&line=${line}&around=0&of=delivery`);
    expect([one.before, one.after]).toEqual([[], []]);
  });

  it("of a line that is not kept are a 404, of nonsense a 400", async () => {
    expect((await server.call("/lines?batch=none&line=1")).status).toBe(404);
    for (const query of ["batch=none", "batch=none&line=-1", "batch=none&line=1&around=201", "batch=x&line=1&of=run"])
      expect([query, (await server.call(`/lines?${query}`)).status]).toEqual([query, 400]);
  });
});
