"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { Choice } from "@/app/_ui/choice";
import { CopyLink } from "@/app/_ui/copy-button";
import { PageFrame } from "@/app/_ui/page-frame";
import { Section } from "@/app/_ui/section";
import { Sentence } from "@/app/_ui/sentence";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { DataTable } from "@/app/_ui/table/data-table";
import type { TargetAnswer } from "@/server/domain/canary";
import { sentenceOfTargets } from "./canaries-sentence";
import { askCanaries } from "./canary-questions";
import { Leftovers } from "./leftovers";
import { NoTargets } from "./no-targets";
import { RUN_COLUMNS } from "./run-columns";
import { RunForm } from "./run-form";
import { Schedules } from "./schedules";
import { TARGET_COLUMNS } from "./target-columns";

/** Targets with their lights, a form that runs a plan, what ran, what is scheduled, what was left behind. */
export function CanariesView() {
  const answer = useQuery(askCanaries.targets());
  return (
    <PageFrame trail={[{ name: "Canaries" }]} actions={<CopyLink />}>
      <Shown what="The targets" answer={answer} loading={<SkeletonRows rows={8} />}>
        {({ items }) => (items.length === 0 ? <NoTargets /> : <Known targets={items} />)}
      </Shown>
    </PageFrame>
  );
}

function Known({ targets }: { targets: readonly TargetAnswer[] }) {
  return (
    <>
      <Sentence text={sentenceOfTargets(targets)} />
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
      <History targets={targets} />
      <Schedules />
      <Leftovers targets={targets} />
    </>
  );
}

function History({ targets }: { targets: readonly TargetAnswer[] }) {
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
