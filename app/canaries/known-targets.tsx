"use client";

import { Section } from "@/app/_ui/section";
import { DataTable } from "@/app/_ui/table/data-table";
import type { TargetAnswer } from "@/server/domain/canary";
import { CanaryHistory } from "./canary-history";
import { Leftovers } from "./leftovers";
import { RunForm } from "./run-form";
import { Schedules } from "./schedules";
import { TARGET_COLUMNS } from "./target-columns";

/** The targets and what can be done with them. */
export function KnownTargets({ targets }: { targets: readonly TargetAnswer[] }) {
  return (
    <>
      <Section title="Targets" note="from the configuration; keys stay on the server">
        <DataTable
          caption="Canary targets"
          columns={TARGET_COLUMNS}
          rows={targets}
          rowKey={(target) => target.name}
          sortParam="targets"
        />
      </Section>
      <RunForm targets={targets} />
      <CanaryHistory targets={targets} />
      <Schedules />
      <Leftovers targets={targets} />
    </>
  );
}
