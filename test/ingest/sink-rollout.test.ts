import { describe, expect, test } from "vitest";
import type { Evidence } from "@/server/domain/evidence";
import type { Payload, SeenRollout } from "@/server/ingest/format";
import { RowSink } from "@/server/ingest/sink";
import { PARAMS } from "../support/deliveries";

const AT = Date.parse("2026-11-20T04:00:00Z");
const FORMAT = { name: "test" };
const ROW: Payload = { who: {}, at: AT, text: "text", line: 1 };

function seenRollout(fields: Partial<SeenRollout> = {}): SeenRollout {
  return {
    task: "t",
    index: null,
    attempt: 0,
    agent: null,
    startedAt: AT,
    endedAt: null,
    reward: 0,
    producerPassed: null,
    masked: null,
    scored: true,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: [],
    node: null,
    error: null,
    config: {},
    evidence: [],
    ...fields,
  };
}

function rolloutsOf(...seen: SeenRollout[]) {
  const sink = new RowSink({ ...PARAMS, run: "run" });
  for (const one of seen) sink.read(FORMAT, ROW, () => sink.rollout(ROW, one));
  return sink.take(true).rows;
}

describe("a rollout", () => {
  test("without an index is the next one of its task", () => {
    const rows = rolloutsOf(seenRollout(), seenRollout({ task: "u" }), seenRollout(), seenRollout({ index: 7 }));
    expect(rows.rollouts.map((row) => [row.task, row.index])).toEqual([
      ["t", 0],
      ["u", 0],
      ["t", 1],
      ["t", 7],
    ]);
  });

  test("has one id for one key, another content for another outcome, and touches its group", () => {
    const rows = rolloutsOf(
      seenRollout({ index: 0 }),
      seenRollout({ index: 0, reward: 1 }),
      seenRollout({ index: 0, attempt: 1 }),
    );
    const [a, b, c] = rows.rollouts;
    expect(a?.id).toBe(b?.id);
    expect(a?.content).not.toBe(b?.content);
    expect(c?.id).not.toBe(a?.id);
    expect(c?.group).toBe(a?.group);
    expect(rows.touched).toContain(`group:default/${a?.group}`);
  });

  test("turns the failures it carries into observations about its sandboxes and itself", () => {
    const evidence: Evidence[] = [{ layer: "record", kind: "error", message: "token=abcdef123456 broke" }];
    const rows = rolloutsOf(seenRollout({ sandboxes: ["s1", "s2"], evidence, error: "password=hunter22" }));
    const [row] = rows.observations;
    expect(row?.refs).toEqual(["sandbox:default/s1", "sandbox:default/s2", `rollout:default/${rows.rollouts[0]?.id}`]);
    expect(row).toMatchObject({ at: AT, run: "run", text: "token=[redacted] broke" });
    expect(rows.rollouts[0]?.error).toBe("password=[redacted]");
    expect(rows.links.map((link) => link.to)).toEqual(["sandbox:default/s1", "sandbox:default/s2"]);
  });

  test("without a sandbox is joined by its task's label", () => {
    const rows = rolloutsOf(seenRollout({ task: "alias::t" }));
    expect(rows.links.map((link) => link.to)).toEqual(["instance:default/run/alias_t"]);
  });

  test("loses the secrets in its settings", () => {
    const rows = rolloutsOf(seenRollout({ config: { "env.API_KEY": "abc", n: 1 } }));
    expect(rows.rollouts[0]?.config).toEqual({ "env.API_KEY": "[redacted]", n: 1 });
  });
});
