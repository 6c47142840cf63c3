"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { NOTHING } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import type { Column } from "@/app/_ui/table/column";
import { DataTable } from "@/app/_ui/table/data-table";
import { When } from "@/app/_ui/when";
import type { ScheduleAnswer } from "@/server/domain/canary";
import { askCanaries } from "./canary-questions";

const COLUMNS: readonly Column<ScheduleAnswer>[] = [
  { id: "plan", head: "Plan", rowHead: true, cell: (one) => one.plan },
  { id: "target", head: "Target", cell: (one) => one.target },
  { id: "every", head: "Every", cell: (one) => one.every },
  { id: "next", head: "Next", cell: (one) => <When at={one.nextAt} as="second" /> },
  {
    id: "last",
    head: "Last run",
    cell: (one) =>
      one.lastRun === null ? (
        NOTHING
      ) : (
        <Link href={`/canaries/${one.lastRun}`} className="rows-link mono">
          {one.lastRun}
        </Link>
      ),
  },
  { id: "skipped", head: "Left out while running", num: true, wide: true, cell: (one) => one.skipped },
];

/** Only where there are any: the configuration is where they are made. */
export function Schedules() {
  const items = useQuery(askCanaries.schedules()).data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section title="Schedules" note="from the configuration; never on top of themselves">
      <DataTable
        caption="Scheduled plans"
        columns={COLUMNS}
        rows={items}
        rowKey={(one) => `${one.target} ${one.plan} ${one.every}`}
      />
    </Section>
  );
}
