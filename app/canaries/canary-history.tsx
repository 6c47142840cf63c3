"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { Choice } from "@/app/_ui/choice";
import { Section } from "@/app/_ui/section";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { DataTable } from "@/app/_ui/table/data-table";
import type { TargetAnswer } from "@/server/domain/canary";
import { askCanaries } from "./canary-questions";
import { RUN_COLUMNS } from "./run-columns";

/** Canaries that ran, of one target or of all. */
export function CanaryHistory({ targets }: { targets: readonly TargetAnswer[] }) {
  const [target, setTarget] = useQueryState("of", parseAsString);
  const answer = useQuery(askCanaries.runs(target));
  const options = targets.map(({ name }) => ({ value: name, label: name }));
  return (
    <Section
      title="What ran"
      note="newest first"
      actions={
        <Choice label="Target" value={target} any="All" options={options} onChange={(next) => void setTarget(next)} />
      }
    >
      <Shown what="The runs" answer={answer} loading={<SkeletonRows rows={5} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No canary has run yet.">Start one above, or add a schedule to the configuration.</Empty>
          ) : (
            <DataTable
              caption="Canary runs"
              columns={RUN_COLUMNS}
              rows={items}
              rowKey={(run) => run.id}
              opens
              sortParam="runs"
            />
          )
        }
      </Shown>
    </Section>
  );
}
