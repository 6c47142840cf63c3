import { describe, expect, it } from "vitest";
import { consoleText } from "@/server/ingest/formats/console";
import { readLines } from "../../support/recording-sink";

describe("console", () => {
  it("takes what a sandbox printed for the agent's, and only a crash for worth a row", () => {
    const sink = readLines(consoleText, "502 Bad Gateway\npanic: runtime error\nKilled", { container: "sandbox" });
    expect(sink.seen.map((one) => [one.evidence.layer, one.evidence.kind, one.evidence.message])).toEqual([
      ["agent", "line", "panic: runtime error"],
      ["agent", "line", "Killed"],
    ]);
    expect(sink.routines).toHaveLength(1);
  });

  it("keeps notable lines of other containers, with the ids they name", () => {
    const body =
      "Temporary failure in name resolution\nReason: ErrImagePull\nserving on 8080\nsandbox_id='sb-1' connection reset by peer";
    const sink = readLines(consoleText, body, { container: "harness" });
    expect(sink.seen.map((one) => [one.evidence.layer, one.sandbox])).toEqual([
      ["harness", undefined],
      ["harness", undefined],
      ["harness", "sb-1"],
    ]);
    expect(sink.routines).toHaveLength(1);
  });
});
