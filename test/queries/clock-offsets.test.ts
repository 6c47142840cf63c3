import { describe, expect, test } from "vitest";
import type { Layer } from "@/server/domain/evidence";
import type { Observation } from "@/server/domain/facts";
import { clockOffsets } from "@/server/queries/clock-offsets";
import { observed } from "../derive/observed";

function line(layer: Layer, source: string, at: number | null, status: number): Observation {
  return { ...observed({ layer, kind: "http", status }), source, at };
}

const client = [1000, 61_000, 125_500].map((at) => line("harness", "client", at, 502));

describe("clocks of two sources", () => {
  test("lie apart by the median of what both say of the same events", () => {
    const server = [3290, 63_300, 127_810].map((at) => line("server", "server", at, 502));
    expect(clockOffsets([...client, ...server])).toEqual([
      {
        layer: "server",
        source: "server",
        reference: { layer: "harness", source: "client" },
        offsetMs: 2300,
        spreadMs: 20,
        pairs: 3,
        resolutionMs: 1,
        apart: true,
      },
    ]);
  });

  test("are not called apart by less than a second where one writes whole seconds", () => {
    const server = [1000, 61_000, 125_000].map((at) => line("server", "server", at, 502));
    expect(clockOffsets([...client, ...server])[0]).toMatchObject({ offsetMs: 0, resolutionMs: 1000, apart: false });
  });

  test("cannot be told without an event in common, near in time", () => {
    expect(clockOffsets([...client, line("server", "server", 2000, 504)])).toEqual([]);
    expect(clockOffsets([...client, line("server", "server", 900_000, 502)])).toEqual([]);
    expect(clockOffsets([...client, line("server", "server", null, 502)])).toEqual([]);
    expect(clockOffsets(client)).toEqual([]);
  });

  test("a rollout record's time is none of an event", () => {
    expect(clockOffsets([...client, line("record", "rows", 1500, 502)])).toEqual([]);
  });
});
