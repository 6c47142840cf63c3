/** The preview of a reclassifying as rows of one table. Pure. */
import { VERDICT_NAME } from "@/app/_ui/verdicts";
import type { ReclassifyPreview } from "@/server/domain/reclassify";

export interface MoveRow {
  id: string;
  what: "Evidence" | "Incidents" | "Rollouts";
  before: string;
  after: string;
  n: number;
  example: string;
  /** Page of the example; null where there is none. */
  href: string | null;
}

/** Rollouts first: what changes a run's numbers comes before what only changes a list. */
export function moveRows({ rollouts, incidents, evidence }: ReclassifyPreview): MoveRow[] {
  const rows: Omit<MoveRow, "id">[] = [
    ...rollouts.map(({ before, after, n, samples: [first] }) => ({
      what: "Rollouts" as const,
      before: before === null ? "no verdict" : blamed(before),
      after: blamed(after),
      n,
      example: first ? `${first.run ?? "no run"} · ${first.task} #${first.index}` : "",
      href: first ? `/rollouts/${encodeURIComponent(first.id)}` : null,
    })),
    ...incidents.map(({ before, after, n, samples: [first] }) => ({
      what: "Incidents" as const,
      before: before ?? "none",
      after: after ?? "none",
      n,
      example: first?.summary ?? "",
      href: null,
    })),
    ...evidence.map(({ before, after, n, samples: [first] }) => ({
      what: "Evidence" as const,
      before: before ?? "no failure",
      after: after ?? "no failure",
      n,
      example: first ? `${first.source}: ${first.text}` : "",
      href: null,
    })),
  ];
  return rows.map((row) => ({ ...row, id: `${row.what} ${row.before} → ${row.after}` }));
}

function blamed({ verdict, class: name }: ReclassifyPreview["rollouts"][number]["after"]): string {
  const words = VERDICT_NAME[verdict];
  return name === null ? words : `${words}: ${name}`;
}
