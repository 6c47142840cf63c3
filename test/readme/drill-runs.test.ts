import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "@/test/architecture/sources";
import { openMemory, rejects, rollouts, send } from "@/test/support/deliveries";
import { drillRuns } from "./drill-runs";

describe("the README's example of a format", () => {
  test("is the one that is tested here", () => {
    const code = readFileSync(join(root, "test/readme/drill-runs.ts"), "utf8").trimEnd();
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`\`\`\`ts\n${code}\n\`\`\``);
  });

  test("reads its lines into verdicts", async () => {
    const store = await openMemory();
    const lines = [
      '{"drill":"t1","try":0,"ok":true,"box":"sbx-1"}',
      '{"drill":"t1","try":1,"ok":false,"box":"sbx-2"}',
      '{"drill":"t2","try":0,"ok":false,"box":"sbx-7","died":"oom"}',
      '{"drill":7}',
    ];
    const { batchId } = await send(store, lines.join("\n"), {}, { formats: [drillRuns] });
    expect((await rollouts(store)).map((r) => [r.task, r.index, r.verdict, r.class]).sort()).toEqual([
      ["t1", 0, "passed", null],
      ["t1", 1, "failed", "task.failed"],
      ["t2", 0, "infra_failed", "pod.oom_killed"],
    ]);
    expect(await rejects(store, batchId)).toMatchObject([{ line: 4, message: "drill must be a string, got number" }]);
  });
});
