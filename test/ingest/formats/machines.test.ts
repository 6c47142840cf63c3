import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kernel } from "@/server/ingest/formats/kernel";
import { klog } from "@/server/ingest/formats/klog";
import { logfmt } from "@/server/ingest/formats/logfmt";
import { readLines } from "../../support/recording-sink";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");

describe("klog", () => {
  const sink = readLines(klog, fixture("klog/node.log"));

  it("names the machine or pod that a line is about, not the one that wrote it", () => {
    expect(sink.seen.map((one) => [one.evidence.layer, one.evidence.kind, one.node ?? one.podName])).toEqual([
      ["runtime", "line", "gke-n7"],
      ["runtime", "error", undefined],
      ["kubernetes", "event", "sandboxes/sbx-n1-0"],
      ["kubernetes", "event", "gke-n9"],
      ["runtime", "line", "sandboxes/sbx-n3-0"],
    ]);
    expect(sink.seen[2]?.evidence).toMatchObject({
      reason: "TaintManagerEviction",
      message: "Marking for deletion Pod sandboxes/sbx-n1-0",
    });
  });

  it("takes the year nearest to receipt and says that it assumed it", () => {
    expect(sink.seen[0]).toMatchObject({ at: Date.UTC(2026, 11, 31, 23, 59, 56, 872), atAssumed: true });
  });

  it("counts progress, and a client's echo of the runtime's error, as routine", () => {
    expect(sink.routines.map((payload) => payload.line)).toEqual([6, 7]);
  });
});

describe("logfmt", () => {
  const sink = readLines(logfmt, fixture("logfmt/runtime-and-go.log"));

  it("reads a runtime's error with the pod it names and its cause", () => {
    expect(sink.seen[0]).toMatchObject({
      podName: "sandboxes/sbx-r1-0",
      podUid: "64afe0a1-b446-4d87-8df3-d09866e0e42e",
      at: Date.UTC(2026, 6, 1, 4, 11, 55, 247),
      evidence: {
        layer: "runtime",
        kind: "error",
        message: expect.stringContaining('failed to reserve sandbox name "sbx-r1-0"'),
      },
    });
  });

  it("reads what a Go client writes about a call: reuse, idle time, and the retry that went well", () => {
    expect(sink.seen[1]).toMatchObject({
      sandbox: "s2",
      evidence: { layer: "harness", reusedSocket: true, idleMs: 71_000, durationMs: 30_000, operation: "get_info" },
    });
    expect(sink.seen[2]?.evidence).toMatchObject({ kind: "success", operation: "get_info" });
    expect(sink.routines).toHaveLength(2);
  });
});

describe("kernel", () => {
  it("finds the pod in the cgroup's path", () => {
    const { seen, routines } = readLines(kernel, fixture("kernel/dmesg.log"));
    expect(seen).toMatchObject([
      { podUid: "64afe0a1-b446-4d87-8df3-d09866e0e42e", evidence: { layer: "kernel", kind: "line" } },
    ]);
    expect(routines).toHaveLength(1);
  });
});
