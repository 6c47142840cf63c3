"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { count } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { SeverityTag } from "@/app/_ui/severity-tag";
import { Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import type { RunSummary } from "@/server/domain/answers";
import { type FindingGroup, findingGroups } from "./overview-finding-groups";

export const FINDINGS_SHOWN = 6;
const RUNS_SHOWN = 3;

/** What to change first: findings of the newest runs by what they cost. */
export function OpenFindings({ runs }: { runs: readonly RunSummary[] }) {
  const answer = useQuery(ask.openFindings());
  const names = new Map(runs.map((run) => [run.id, run.name]));
  return (
    <Section
      title="What to change"
      note="in the newest runs, by rollouts affected"
      className="mb-8 min-w-0"
      actions={<CsvButton url={apiUrl("/findings")} fileName="coalmine-findings.csv" />}
    >
      <Shown what="The findings" answer={answer} loading={<SkeletonRows rows={FINDINGS_SHOWN + 1} height={46} />}>
        {({ items }) => <Groups groups={findingGroups(items)} names={names} />}
      </Shown>
    </Section>
  );
}

function Groups({ groups, names }: { groups: readonly FindingGroup[]; names: ReadonlyMap<string, string> }) {
  if (groups.length === 0) {
    return (
      <p className="border-t py-2 text-mut">
        Nothing: no setting of the newest runs is known to hurt, and no failure points at one.
      </p>
    );
  }
  return (
    <>
      <table className="grid-table">
        <caption className="sr-only">Findings with rollouts affected and the runs they are in</caption>
        <thead>
          <tr>
            <th scope="col">Finding</th>
            <th scope="col" className="num">
              Rollouts
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, FINDINGS_SHOWN).map((group) => (
            <GroupRow key={group.id} group={group} names={names} />
          ))}
        </tbody>
      </table>
      {groups.length > FINDINGS_SHOWN && (
        <p className="mt-1.5 text-small text-mut">
          {count(groups.length - FINDINGS_SHOWN)} more on the pages of their runs.
        </p>
      )}
    </>
  );
}

function GroupRow({ group, names }: { group: FindingGroup; names: ReadonlyMap<string, string> }) {
  const more = group.runs.length - RUNS_SHOWN;
  return (
    <tr>
      <th scope="row">
        <span className="font-medium">{group.title}</span> <SeverityTag severity={group.severity} />
        <span className="flex flex-wrap gap-x-3 text-small text-mut">
          {group.runs.slice(0, RUNS_SHOWN).map(({ run, rollouts }) => (
            <Link
              key={run}
              href={`/runs/${encodeURIComponent(run)}#findings`}
              className="rows-link max-md:my-0.5 max-md:py-0.5"
            >
              {names.get(run) ?? run}: {count(rollouts)}
            </Link>
          ))}
          {more > 0 && <span>and {count(more)} more runs</span>}
        </span>
      </th>
      <td className="num">
        {group.rollouts === 0 ? <span className="text-mut">none yet</span> : count(group.rollouts)}
      </td>
    </tr>
  );
}
