/** Which rules judged what in the store in memory. */
import type { Observation } from "@/server/domain/facts";
import type { Facts } from "@/server/domain/store";
import { enqueue, type Memory } from "./memory-store";

export function memoryJudging(memory: Memory): Pick<Facts, "judgedOtherwise" | "rowsJudgedOtherwise" | "rejudge"> {
  const isOther = (version: string) => (row: { rulesVersion: string }) => row.rulesVersion !== version;
  return {
    async judgedOtherwise(version) {
      const found = memory.batches.filter(
        (one) => one.batch.state === "complete" && one.observations.some(isOther(version)),
      );
      const observations = found.reduce((sum, one) => sum + one.batch.observations, 0);
      return { batches: found.map((one) => one.batch.id), observations };
    },
    async rowsJudgedOtherwise(batch, version, page) {
      const rows = memory.batches.find((one) => one.batch.id === batch)?.observations ?? [];
      const from = page.cursor === null ? 0 : Number(page.cursor);
      const found = rows.flatMap((observation, i) => (i >= from && isOther(version)(observation) ? [i] : []));
      const shown = found.slice(0, page.limit);
      const items = shown.map((i) => ({ row: `${batch} ${i}`, observation: structuredClone(rows[i] as Observation) }));
      return { items, next: found.length > shown.length ? String((shown.at(-1) ?? 0) + 1) : null };
    },
    async rejudge(version, rows) {
      memory.version++;
      for (const { row, judgement } of rows) {
        const [batch, i] = row.split(" ");
        const known = memory.batches.find((one) => one.batch.id === batch)?.observations[Number(i)];
        if (!known) continue;
        const fields = ["class", "rule", "subCause", "confidence"] as const;
        if (fields.some((field) => known[field] !== judgement[field])) enqueue(memory, known.refs);
        Object.assign(known, judgement, { rulesVersion: version });
      }
    },
  };
}
