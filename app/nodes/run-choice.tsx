"use client";

import { useQuery } from "@tanstack/react-query";
import { ask } from "@/app/_client/questions";
import { Banner } from "@/app/_ui/banner";
import { Choice } from "@/app/_ui/choice";

interface RunChoiceProps {
  label: string;
  value: string | null;
  onChange(run: string | null): void;
}

/** By which run nodes are judged; all of them unless one is chosen. */
export function RunChoice({ label, value, onChange }: RunChoiceProps) {
  const runs = useQuery(ask.runs());
  const options = (runs.data?.items ?? []).map((run) => ({ value: run.id, label: run.name, n: run.rollouts }));
  return <Choice label={label} any="All runs" value={value} options={options} onChange={onChange} />;
}

/** Said before any node is blamed. */
export function FleetWide({ so }: { so: boolean }) {
  return so ? <Banner>Fleet-wide, not a node: more than a third of the nodes stand out alike.</Banner> : null;
}
