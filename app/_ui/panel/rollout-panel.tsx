"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ask } from "@/app/_client/questions";
import type { RolloutDetail, SandboxAnswer } from "@/server/domain/rollout-detail";
import { Dialog } from "../dialog";
import { FAMILY_NAME } from "../families";
import { FamilySwatch } from "../family-mark";
import { plural } from "../format";
import { Shown, SkeletonRows } from "../states";
import { VerdictTag } from "../verdict-tag";
import { When } from "../when";
import { EvidenceLines } from "./evidence-lines";
import { FactList, PanelPart } from "./fact-list";
import { factText } from "./fact-text";
import { PanelLink } from "./panel-state";

/** Why one rollout ended as it did: the verdict in words, and everything known about it by time. */
export function RolloutPanel({ id, onClose }: { id: string; onClose(): void }) {
  const answer = useQuery(ask.rollout(id));
  const data = answer.data;
  const title = data ? (
    <>
      <span className="mono text-body">{data.task}</span>{" "}
      <span className="font-normal text-mut">rollout {data.index}</span>
    </>
  ) : (
    "Rollout"
  );
  return (
    <Dialog open onClose={onClose} as="panel" title={title}>
      <Shown what="This rollout" answer={answer} loading={<SkeletonRows rows={12} />}>
        {(detail) => <Certificate detail={detail} />}
      </Shown>
    </Dialog>
  );
}

function Certificate({ detail }: { detail: RolloutDetail }) {
  const page = detail.run === null ? "/failures" : `/runs/${encodeURIComponent(detail.run)}`;
  return (
    <>
      <p className="mb-1 flex flex-wrap items-center gap-2">
        <VerdictTag verdict={detail.verdict} />
        {detail.class && detail.family && (
          <span className="inline-flex items-center gap-1.5">
            <FamilySwatch family={detail.family} /> {FAMILY_NAME[detail.family]}{" "}
            <span className="mono text-mut">{detail.class}</span>
          </span>
        )}
        {detail.confidence && <span className="text-mut">{detail.confidence}</span>}
      </p>
      <p className="mb-2 text-[15px] leading-6 font-medium">{detail.reason}</p>
      <p className="mb-4">
        <Link href={`/rollouts/${encodeURIComponent(detail.id)}`} className="rows-link">
          Open its page, with one timeline of all evidence
        </Link>
      </p>
      <Facts detail={detail} page={page} />
      {detail.error && (
        <PanelPart title="Error" note="as the record says it">
          <p className="mono rounded-md bg-sub px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {detail.error}
          </p>
        </PanelPart>
      )}
      <Incidents detail={detail} page={page} />
      <PanelPart title="Evidence" note={plural(detail.timeline.length, "line")}>
        <EvidenceLines lines={detail.timeline} truncated={detail.truncated} />
      </PanelPart>
      {detail.sandboxes.map((sandbox) => (
        <Sandbox key={sandbox.id} sandbox={sandbox} />
      ))}
      <Siblings detail={detail} page={page} />
    </>
  );
}

function Facts({ detail, page }: { detail: RolloutDetail; page: string }) {
  const { node, startedAt, endedAt } = detail;
  return (
    <FactList
      facts={[
        [
          "Run",
          detail.run && (
            <Link href={page} className="rows-link">
              {detail.run}
            </Link>
          ),
        ],
        [
          "Node",
          node && (
            <Link href={`${page}?node=${encodeURIComponent(node)}#rollouts`} className="rows-link mono">
              {node}
            </Link>
          ),
        ],
        ["Sandbox", detail.sandbox && <span className="mono">{detail.sandbox}</span>],
        ["Attempt", detail.effective ? detail.attempt : `${detail.attempt}, does not count`],
        ["Reward", detail.reward],
        ["Masked", detail.masked === true ? "by its producer; masked is not lost" : null],
        [
          "Suspect",
          detail.suspect ? "failed honestly as far as the record says, yet with a sign of infrastructure" : null,
        ],
        ["Saved", detail.absorbed > 0 ? `${plural(detail.absorbed, "failure")} that a retry absorbed` : null],
        ["Began", startedAt && <When at={startedAt} />],
        ["Ended", endedAt && <When at={endedAt} />],
        ["Agent", detail.agent],
      ]}
    />
  );
}

function Incidents({ detail, page }: { detail: RolloutDetail; page: string }) {
  if (detail.incidents.length === 0) return null;
  return (
    <PanelPart title="Incidents">
      <ul className="flex flex-col">
        {detail.incidents.map((incident) => (
          <li key={incident.id} className="flex items-baseline gap-2 border-b py-1">
            <FamilySwatch family={incident.family} />
            <PanelLink incident={incident.id} page={page}>
              {incident.title}
            </PanelLink>
            <span className="ml-auto whitespace-nowrap text-mut">{incident.outcome}</span>
            <When at={incident.firstAt} as="second" />
          </li>
        ))}
      </ul>
    </PanelPart>
  );
}

function Sandbox({ sandbox }: { sandbox: SandboxAnswer }) {
  const facts = Object.entries(sandbox.facts);
  return (
    <PanelPart title="Sandbox" note={<span className="mono">{sandbox.id}</span>}>
      {facts.length === 0 && sandbox.pods.length === 0 ? (
        <p className="text-mut">Nothing is known of it: neither its pod nor its events were sent.</p>
      ) : (
        <FactList
          facts={[
            ...sandbox.pods.map(
              (pod) =>
                [
                  "pod",
                  <span key={pod} className="mono">
                    {pod}
                  </span>,
                ] as const,
            ),
            ...facts.map(([name, value]) => [name, factText(name, value)] as const),
          ]}
        />
      )}
    </PanelPart>
  );
}

function Siblings({ detail, page }: { detail: RolloutDetail; page: string }) {
  if (detail.siblings.length === 0) return null;
  return (
    <PanelPart title="Other attempts" note="at the same task and rollout index">
      <ul>
        {detail.siblings.map((sibling) => (
          <li key={sibling.id} className="flex items-baseline gap-2 border-b py-1">
            <PanelLink rollout={sibling.id} page={page}>
              attempt {sibling.attempt}
            </PanelLink>
            <VerdictTag verdict={sibling.verdict} />
            <span className="min-w-0 truncate text-mut">{sibling.reason}</span>
          </li>
        ))}
      </ul>
    </PanelPart>
  );
}
