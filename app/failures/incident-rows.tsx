"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { apiUrl } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { count, NOTHING } from "@/app/_ui/format";
import { PanelLink, useOpened } from "@/app/_ui/panel/panel-state";
import type { Column } from "@/app/_ui/table/column";
import { PagedSection } from "@/app/_ui/table/paged-section";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { IncidentAnswer } from "@/server/domain/answers";
import type { FailureFilter } from "./failure-parsers";
import { askedOf } from "./scope";

const COLUMNS: readonly Column<IncidentAnswer>[] = [
  {
    id: "title",
    head: "Incident",
    rowHead: true,
    width: "27%",
    cell: (row) => (
      <>
        <span className="flex items-center gap-2" title={row.class}>
          <FamilySwatch family={row.family} />
          <PanelLink incident={row.id} page="/failures" opensRow className="truncate hover:text-acc">
            {row.title}
          </PanelLink>
        </span>
        <span className="flex gap-3 text-small text-mut md:hidden">
          <span className="mono">{row.node ?? "node not known"}</span>
          <span className="truncate">{row.run ?? "no run"}</span>
        </span>
      </>
    ),
  },
  {
    id: "outcome",
    head: "Outcome",
    width: "84px",
    cell: (row) => <Tag tone={row.outcome === "fatal" ? "bad" : "plain"}>{row.outcome}</Tag>,
  },
  {
    id: "summary",
    head: "Evidence",
    wide: true,
    width: "auto",
    cell: (row) => (
      <span className="mono" title={row.summary}>
        {row.summary}
      </span>
    ),
  },
  {
    id: "run",
    head: "Run",
    wide: true,
    width: "136px",
    cell: (row) => row.run ?? <span className="text-mut">none</span>,
  },
  {
    id: "node",
    head: "Node",
    wide: true,
    width: "144px",
    cell: (row) => (
      <span className="mono" title={row.node ?? undefined}>
        {row.node ?? NOTHING}
      </span>
    ),
  },
  {
    id: "tries",
    head: "Tries",
    num: true,
    wide: true,
    width: "56px",
    cell: (row) => `${row.atLeast ? "≥ " : ""}${count(row.attempts)}`,
  },
  { id: "at", head: "First seen", num: true, width: "96px", cell: (row) => <When at={row.firstAt} as="ago" /> },
];

/** The incidents themselves, newest first. */
export function IncidentRows({ filter }: { filter: FailureFilter }) {
  const answer = useInfiniteQuery(ask.incidents(askedOf(filter)));
  const { incident } = useOpened();
  return (
    <PagedSection
      id="incidents"
      title="Incidents"
      order="newest first"
      what="The incidents"
      answer={answer}
      csv={{ url: apiUrl("/incidents", { ...askedOf(filter) }), fileName: "coalmine-incidents.csv" }}
      empty={<p className="border-t py-2 text-mut">None under these filters.</p>}
      caption="Incidents"
      columns={COLUMNS}
      rowKey={(row) => row.id}
      opens
      even
      selected={incident}
    />
  );
}
