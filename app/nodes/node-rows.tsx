"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { apiUrl } from "@/app/_client/api";
import { familyTotal } from "@/app/_ui/families";
import { nodeNames } from "@/app/_ui/node-names";
import { fractionEnd } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { DataTable } from "@/app/_ui/table/data-table";
import { askCanaries } from "@/app/canaries/canary-questions";
import type { JudgedNode } from "@/server/domain/node-judged";
import { nodeColumns } from "./node-columns";

/** Nodes one a line, with what they lost against what was to be expected. */
export function NodeRows({ nodes, run }: { nodes: readonly JudgedNode[]; run: string | null }) {
  const canaries = useQuery(askCanaries.nodes()).data?.items;
  const columns = useMemo(
    () => nodeColumns({ run, canaries: canaries ?? [], names: nodes.map((node) => node.node), ...axisOf(nodes) }),
    [run, nodes, canaries],
  );
  const { domain } = nodeNames(nodes.map((node) => node.node));
  return (
    <Section
      title="Nodes"
      note={`${nodes.length}, most beyond expected first${domain === "" ? "" : `; names without ${domain}`}`}
      actions={<CsvButton url={apiUrl("/nodes", { run })} fileName="coalmine-nodes.csv" />}
    >
      <DataTable caption="Nodes" columns={columns} rows={nodes} rowKey={(node) => node.node} opens sortParam="sort" />
    </Section>
  );
}

function axisOf(nodes: readonly JudgedNode[]) {
  return {
    end: fractionEnd(nodes.flatMap((node) => (node.infraFailed ? [node.infraFailed.high] : []))),
    most: Math.max(1, ...nodes.map((node) => familyTotal(node.byFamily))),
  };
}
