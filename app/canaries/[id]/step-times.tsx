import { Section } from "@/app/_ui/section";
import type { Column } from "@/app/_ui/table/column";
import { DataTable } from "@/app/_ui/table/data-table";
import { percentilesOf } from "@/server/canary/percentiles";
import type { Percentiles } from "@/server/domain/canary";
import type { LiveCycle } from "./canary-log";

interface StepTimesRow {
  name: string;
  n: number;
  failed: number;
  ms: Percentiles | null;
}

/** Times of each kind of step over all cycles; failed ones and our own faults are counted, not timed. */
export function stepTimes(cycles: readonly LiveCycle[]): StepTimesRow[] {
  const byName = new Map<string, StepTimesRow & { values: number[] }>();
  for (const step of cycles.flatMap((cycle) => cycle.steps)) {
    if (step.name === "idle") continue;
    const row = byName.get(step.name) ?? { name: step.name, n: 0, failed: 0, ms: null, values: [] };
    row.n += 1;
    if (!step.ok) row.failed += 1;
    else if (!step.ownFault) row.values.push(step.ms);
    byName.set(step.name, row);
  }
  return [...byName.values()].map(({ values, ...row }) => ({ ...row, ms: percentilesOf(values) }));
}

const at = (id: "p50" | "p90" | "p99" | "max", head: string): Column<StepTimesRow> => ({
  id,
  head,
  num: true,
  sort: (row) => row.ms?.[id] ?? null,
  cell: (row) => (row.ms === null ? "–" : `${Math.round(row.ms[id])} ms`),
});

const COLUMNS: readonly Column<StepTimesRow>[] = [
  { id: "name", head: "Step", rowHead: true, cell: (row) => row.name },
  { id: "n", head: "Times", num: true, cell: (row) => row.n },
  {
    id: "failed",
    head: "Failed",
    num: true,
    cell: (row) => <span className={row.failed > 0 ? "text-bad" : undefined}>{row.failed}</span>,
  },
  at("p50", "Median"),
  at("p90", "90 %"),
  at("p99", "99 %"),
  at("max", "Slowest"),
];

export function StepTimes({ cycles }: { cycles: readonly LiveCycle[] }) {
  const rows = stepTimes(cycles);
  if (rows.length === 0) return null;
  return (
    <Section title="Times" note="of steps that went well">
      <DataTable caption="Times by step" columns={COLUMNS} rows={rows} rowKey={(row) => row.name} />
    </Section>
  );
}
