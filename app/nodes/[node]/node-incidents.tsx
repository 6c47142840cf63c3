"use client";

import Link from "next/link";
import { useMemo } from "react";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { NOTHING } from "@/app/_ui/format";
import { PanelLink, useOpened } from "@/app/_ui/panel/panel-state";
import { Section } from "@/app/_ui/section";
import type { Column } from "@/app/_ui/table/column";
import { DataTable } from "@/app/_ui/table/data-table";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { IncidentAnswer } from "@/server/domain/answers";
import type { NodeDetail } from "@/server/domain/node-detail";
import { nodeHref } from "./node-href";

/** The newest incidents on the node; what the agent did itself is left to Failures. */
export function NodeIncidents({ node }: { node: NodeDetail }) {
  const { incident } = useOpened();
  const rows = useMemo(() => node.newest.filter((one) => one.family !== "none"), [node.newest]);
  const columns = useMemo(() => incidentColumns(nodeHref(node.node)), [node.node]);
  return (
    <Section
      title="Newest incidents"
      note={rows.length > 0 && `${rows.length} shown`}
      actions={
        <Link href={`/failures?${new URLSearchParams({ node: node.node })}#incidents`} className="rows-link">
          All in Failures
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="border-t py-2 text-mut">None of infrastructure among the newest.</p>
      ) : (
        <DataTable
          caption={`Newest incidents on ${node.node}`}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          opens
          selected={incident}
        />
      )}
    </Section>
  );
}

function incidentColumns(page: string): Column<IncidentAnswer>[] {
  return [
    {
      id: "title",
      head: "What",
      rowHead: true,
      width: "30%",
      cell: (row) => (
        <span className="flex items-center gap-2">
          <FamilySwatch family={row.family} />
          <PanelLink incident={row.id} page={page} opensRow className="truncate hover:text-acc">
            {row.title}
          </PanelLink>
        </span>
      ),
    },
    {
      id: "outcome",
      head: "Outcome",
      width: "90px",
      cell: (row) => <Tag tone={row.outcome === "fatal" ? "bad" : "plain"}>{row.outcome}</Tag>,
    },
    {
      id: "summary",
      head: "Evidence",
      wide: true,
      width: "auto",
      cell: (row) => <span title={row.summary}>{row.summary}</span>,
    },
    { id: "run", head: "Run", wide: true, width: "140px", cell: (row) => row.run ?? NOTHING },
    { id: "at", head: "Last", num: true, width: "124px", cell: (row) => <When at={row.lastAt} as="brief" /> },
  ];
}
