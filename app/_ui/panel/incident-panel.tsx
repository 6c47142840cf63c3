"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ask } from "@/app/_client/questions";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import { classHref } from "@/app/reference/classes/matching-classes";
import type { IncidentDetail } from "@/server/domain/answers";
import { Dialog } from "../dialog";
import { FAMILY_NAME } from "../families";
import { FamilySwatch } from "../family-mark";
import { count, plural } from "../format";
import { Shown, SkeletonRows } from "../states";
import { Tag } from "../tag";
import { When } from "../when";
import { EvidenceLines } from "./evidence-lines";
import { FactList, PanelPart } from "./fact-list";
import { PanelLink } from "./panel-state";

/** One incident: what it was, whom it hit, and the lines that prove it. */
export function IncidentPanel({ id, onClose }: { id: string; onClose(): void }) {
  const answer = useQuery(ask.incident(id));
  return (
    <Dialog open onClose={onClose} as="panel" title={answer.data?.title ?? "Incident"}>
      <Shown what="This incident" answer={answer} loading={<SkeletonRows rows={12} />}>
        {(detail) => <Case detail={detail} />}
      </Shown>
    </Dialog>
  );
}

function Case({ detail }: { detail: IncidentDetail }) {
  return (
    <>
      <p className="mb-1 flex flex-wrap items-center gap-2">
        <Tag tone={detail.outcome === "fatal" ? "bad" : "plain"}>{detail.outcome}</Tag>
        <span className="inline-flex items-center gap-1.5">
          <FamilySwatch family={detail.family} /> {FAMILY_NAME[detail.family]}
        </span>
        <Link href={classHref(detail.class)} className="rows-link mono text-mut">
          {detail.class}
        </Link>
        <span className="text-mut">{detail.confidence}</span>
      </p>
      <p className="mb-4 text-[15px] leading-6 font-medium [overflow-wrap:anywhere]">{detail.summary}</p>
      <Facts detail={detail} />
      <PanelPart title="Evidence" note={`${plural(detail.evidence, "line")}; others of the same subject are grey`}>
        <EvidenceLines lines={detail.lines} />
      </PanelPart>
    </>
  );
}

function Facts({ detail }: { detail: IncidentDetail }) {
  const { run, rollout, node } = detail;
  const page = run === null ? "/failures" : `/runs/${encodeURIComponent(run)}`;
  return (
    <FactList
      facts={[
        [
          "Run",
          run && (
            <Link href={page} className="rows-link">
              {run}
            </Link>
          ),
        ],
        [
          "Rollout",
          rollout && (
            <PanelLink rollout={rollout} page={page}>
              the rollout it hit
            </PanelLink>
          ),
        ],
        [
          "Node",
          node && (
            <Link href={nodeHref(node)} className="rows-link mono">
              {node}
            </Link>
          ),
        ],
        ["Sandbox", detail.sandbox && <span className="mono">{detail.sandbox}</span>],
        ["Pod", detail.pod && <span className="mono">{detail.pod}</span>],
        ["Hit", `${plural(detail.hits.sandboxes, "sandbox", "sandboxes")}, ${plural(detail.hits.rollouts, "rollout")}`],
        ["Attempts", `${detail.atLeast ? "at least " : ""}${count(detail.attempts)}`],
        ["Who must act", detail.owner],
        ["First seen", <When key="first" at={detail.firstAt} />],
        ["Last seen", detail.lastAt !== detail.firstAt ? <When key="last" at={detail.lastAt} /> : null],
        ["Rule", detail.rule && <span className="mono">{detail.rule}</span>],
        ["Cause", detail.subCause],
        [
          "Symptoms",
          detail.symptoms.length > 0 ? (
            <span key="symptoms" className="mono">
              {detail.symptoms.join(", ")}
            </span>
          ) : null,
        ],
      ]}
    />
  );
}
