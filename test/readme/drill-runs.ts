/** Drill's results: `{"drill":"t1","try":2,"ok":false,"box":"sbx-7","died":"oom"}`, one try a line. */
import type { Format } from "@/server/ingest/format";
import { blankRollout, HONEST_ZERO } from "@/server/ingest/formats/blank-rollout";
import { booleanOf, numberOf, objectOf, textOf, typeWord } from "@/server/ingest/formats/json-fields";
import { errorWords, recordError, rejectRecord } from "@/server/ingest/formats/record-error";

export const drillRuns: Format = {
  name: "drill-runs",
  title: "Drill results, one try a line",
  unit: "line",
  archive: "none",
  accepts: (payload) => /"drill"\s*:/.test(payload.text) && "drill" in (objectOf(payload) ?? {}),
  read(payload, sink) {
    const row = objectOf(payload);
    const task = textOf(row, "drill");
    if (!row || !task) {
      rejectRecord(payload, sink, row && `drill must be a string, got ${typeWord(row.drill)}`);
      return;
    }
    const ok = booleanOf(row, "ok") ?? null;
    const died = textOf(row, "died");
    const evidence = died ? [recordError(undefined, undefined, { producerClass: died })] : [];
    sink.rollout(payload, {
      ...blankRollout(task),
      index: numberOf(row, "try") ?? null,
      reward: ok === null ? null : Number(ok),
      producerPassed: ok,
      scored: ok !== null && !died,
      sandboxes: textOf(row, "box") ? [textOf(row, "box") ?? ""] : [],
      error: errorWords(evidence),
      evidence: ok === false && !died ? [...HONEST_ZERO] : evidence,
    });
  },
};
