"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import Link from "next/link";
import { ask } from "@/app/_client/questions";
import { CopyButton } from "@/app/_ui/copy-button";
import { Section } from "@/app/_ui/section";
import { SeverityTag } from "@/app/_ui/severity-tag";
import { Shown, Skeleton } from "@/app/_ui/states";
import type { ClassCount, RunSummary } from "@/server/domain/answers";
import type { Finding } from "@/server/findings/finding";
import { CheckButton } from "./findings-check";
import { familyOfFinding, findingsNote, newLines, pageOf, rangeText } from "./findings-links";

interface FindingsSectionProps {
  run: RunSummary;
  /** Classes of the run with their families; none yet while they are read. */
  classes: readonly ClassCount[];
}

/** What to change, worst first, each with what it would bring back and how to check it. */
export function FindingsSection({ run, classes }: FindingsSectionProps) {
  const answer = useQuery(ask.findings(run.id));
  const items = answer.data?.items ?? [];
  return (
    <Section title="What to change" note={items.length > 0 && findingsNote(items)} id="findings">
      <Shown what="The findings" answer={answer} loading={<Skeleton height={240} />}>
        {({ items: known }) =>
          known.length === 0 ? (
            <p className="border-t py-2 text-mut">
              Nothing to change: no setting of this run is known to hurt, and no failure of it points at one.
            </p>
          ) : (
            <ul className="overflow-hidden rounded-lg border">
              {known.map((finding) => (
                <Row key={finding.id} finding={finding} classes={classes} />
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  );
}

const EDGE = { critical: "bg-bad", major: "bg-warn", minor: "bg-line2" } as const;

function Row({ finding, classes }: { finding: Finding; classes: readonly ClassCount[] }) {
  const family = familyOfFinding(finding, classes);
  return (
    <li className="relative grid gap-x-4 gap-y-2 border-b py-3 pr-3.5 pl-5 last:border-b-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,300px)_150px] lg:items-center">
      <span
        aria-hidden="true"
        className={clsx(
          "absolute inset-y-3 left-0 w-[3px]",
          family ? `fam-fill fam-${family}` : EDGE[finding.severity],
        )}
      />
      <div className={clsx("min-w-0", finding.change === null && "lg:col-span-2")}>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <b className="font-semibold">{finding.title}</b>
          <SeverityTag severity={finding.severity} />
        </p>
        <p className="text-mut [overflow-wrap:anywhere]">{finding.text}</p>
        <WinBackLine finding={finding} />
        <Evidence finding={finding} />
      </div>
      {finding.change && <Diff change={finding.change} about={finding.title} />}
      <div className="lg:justify-self-end">
        {finding.canaryPlan && <CheckButton check={finding.canaryPlan} about={finding.title} />}
      </div>
    </li>
  );
}

/** What the change would bring back, with how that was computed. */
function WinBackLine({ finding: { winBack } }: { finding: Finding }) {
  if (winBack === null || winBack.rollouts.estimate <= 0) return null;
  const { rollouts, passAt1Points: points } = winBack;
  return (
    <p className="text-good" title={winBack.formula}>
      Would bring back {rangeText(Math.floor(rollouts.low), Math.ceil(rollouts.high))} rollouts
      {points && `, ${rangeText(points.low, points.high, 1)} points of pass@1`}.
    </p>
  );
}

function Evidence({ finding }: { finding: Finding }) {
  const links = finding.evidence.flatMap((link) => {
    const href = pageOf(link);
    return href === null ? [] : [{ href, label: link.label }];
  });
  if (links.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-small">
      {links.map(({ href, label }) => (
        <Link key={href} href={href} className="rows-link text-mut">
          {label}
        </Link>
      ))}
    </p>
  );
}

/** Old lines out, new lines in; the copy button gives the new ones. */
function Diff({ change, about }: { change: NonNullable<Finding["change"]>; about: string }) {
  return (
    <div className="relative min-w-0 rounded-md bg-sub py-2 pr-8 pl-2.5" title={`For ${change.file}`}>
      <ul className="mono leading-[19px] [overflow-wrap:anywhere]" aria-label={`For ${change.file}`}>
        {change.lines.map(({ op, text }) => (
          <li key={`${op} ${text}`} className={op === "-" ? "text-bad" : "text-good"}>
            <span aria-hidden="true">{change.syntax === "shell" ? "$ " : `${op} `}</span>
            <span className="sr-only">{op === "-" ? "old: " : "new: "}</span>
            {text}
          </li>
        ))}
      </ul>
      <div className="absolute top-1 right-1">
        <CopyButton text={newLines(change)} what={`the change for: ${about}`} />
      </div>
    </div>
  );
}
