"use client";

import { useQuery } from "@tanstack/react-query";
import { ask } from "@/app/_client/questions";
import { count, plural } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Shown, Skeleton } from "@/app/_ui/states";
import { Tag } from "@/app/_ui/tag";
import type { ExecSweep as Sweep } from "@/server/domain/answers";

const FAULT_NAME: Record<Sweep["faults"][number]["kind"], string> = {
  spawn: "commands that could not start",
  timeout: "commands that hung",
  oom: "kills for memory",
  disconnect: "lost connections",
};

/** What the exec daemons themselves saw; zeros are said aloud. */
export function ExecSweep({ run }: { run: string }) {
  const answer = useQuery(ask.execSweep(run));
  return (
    <Section title="Exec sweep" note="what the exec daemons saw" className="mb-8 min-w-0">
      <Shown what="The exec sweep" answer={answer} loading={<Skeleton height={160} />}>
        {(sweep) => (sweep.podsRead === 0 ? <NothingRead /> : <Seen sweep={sweep} />)}
      </Shown>
    </Section>
  );
}

function NothingRead() {
  return (
    <p className="border-t py-2 text-mut">
      No exec daemon's lines were read for this run, so nothing is known of its faults. Send the pods' logs, e.g.{" "}
      <code className="mono">kubectl logs -l app=execd --prefix | coalmine ingest -</code>
    </p>
  );
}

function Seen({ sweep }: { sweep: Sweep }) {
  const pods = plural(sweep.podsRead, "pod");
  return (
    <>
      <p className="mb-1 font-medium">{sweep.sentence}.</p>
      <ul className="border-t">
        {sweep.faults.map(({ kind, n }) => (
          <li key={kind} className="flex border-b py-1">
            <span className={n > 0 ? "font-medium text-bad" : ""}>{FAULT_NAME[kind]}</span>
            <span className="tabular ml-auto">
              {count(n)} <span className="text-mut">in {pods}</span>
            </span>
          </li>
        ))}
      </ul>
      <ul className="mt-2">
        {sweep.events.map(({ label, n, ownExitCode }) => (
          <li key={label} className="flex items-baseline gap-2 py-0.5">
            <span className="mono min-w-0 truncate">{label}</span>
            <Tag>{ownExitCode ? "the agent's own exit code" : "error event"}</Tag>
            <span className="tabular ml-auto">{count(n)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-small text-mut">
        {plural(sweep.linesRead, "line")} of {pods} read.
      </p>
    </>
  );
}
