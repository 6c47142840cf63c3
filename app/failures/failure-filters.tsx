"use client";

import { X } from "lucide-react";
import { useReader } from "@/app/_client/reader";
import { Button } from "@/app/_ui/button";
import { Choice, type Option } from "@/app/_ui/choice";
import { full } from "@/app/_ui/clock";
import { FAMILY_ORDER } from "@/app/_ui/families";
import { FamilyName } from "@/app/_ui/family-mark";
import { FAILURE_DIMS, type FailureDim, type RunSummary } from "@/server/domain/answers";
import type { TaxonomyClass } from "@/server/domain/product-answers";
import { OUTCOMES, OWNERS } from "@/server/domain/taxonomy-words";
import { DIM_NAME, fits } from "./dims";
import type { FailureFilter } from "./failure-parsers";
import { EVERYTHING } from "./scope";

interface FailureFiltersProps {
  dims: readonly FailureDim[];
  filter: FailureFilter;
  change(part: Partial<FailureFilter> & { by?: string | null }): void;
  classes: readonly TaxonomyClass[];
  runs: readonly RunSummary[];
}

const NAMED = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));
const DIM_OPTIONS: Option[] = FAILURE_DIMS.map((dim) => ({ value: dim, label: DIM_NAME[dim] }));
const FAMILY_OPTIONS: Option[] = [
  { value: EVERYTHING, label: "Everything" },
  ...[...FAMILY_ORDER, "none" as const].map((family) => ({ value: family, label: <FamilyName family={family} /> })),
];

/** How the failures are cut, and which of them are looked at. */
export function FailureFilters({ dims, filter, change, classes, runs }: FailureFiltersProps) {
  const [first = "class", second = null] = dims;
  const by = (one: FailureDim, other: FailureDim | null) =>
    change({ by: (other !== null && fits(one, other) ? [one, other] : [one]).join(",") });
  const classOptions = classes.map(({ id, title }) => ({ value: id, label: title }));
  return (
    <div className="mb-6 flex flex-wrap items-center gap-1.5">
      <Choice
        label="By"
        value={first}
        options={DIM_OPTIONS}
        onChange={(dim) => by((dim ?? "class") as FailureDim, second)}
      />
      <Choice
        label="and"
        any="nothing else"
        value={second}
        options={DIM_OPTIONS.filter((option) => fits(first, option.value as FailureDim))}
        onChange={(dim) => by(first, dim as FailureDim | null)}
      />
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line2" />
      <Choice
        label="Run"
        any="All runs"
        value={filter.run}
        options={runs.map((run) => ({ value: run.id, label: run.name }))}
        onChange={(run) => change({ run })}
      />
      <Choice
        label="Family"
        any="Infrastructure"
        value={filter.family}
        options={FAMILY_OPTIONS}
        onChange={(family) => change({ family })}
      />
      <Choice
        label="Class"
        any="Any class"
        value={filter.class}
        options={classOptions}
        onChange={(id) => change({ class: id })}
      />
      <Choice
        label="Outcome"
        any="Any outcome"
        value={filter.outcome}
        options={NAMED(OUTCOMES)}
        onChange={(outcome) => change({ outcome })}
      />
      <Choice
        label="Owner"
        any="Anyone"
        value={filter.owner}
        options={NAMED(OWNERS)}
        onChange={(owner) => change({ owner })}
      />
      <Given filter={filter} change={change} />
    </div>
  );
}

/** Filters that came with a link and have no list of their own. */
function Given({ filter, change }: Pick<FailureFiltersProps, "filter" | "change">) {
  const { zone } = useReader();
  const time = (at: string) => full(Date.parse(at), zone).slice(0, 16);
  const given: [text: string, drop: Partial<FailureFilter>][] = [];
  if (filter.node !== null) given.push([`node ${filter.node}`, { node: null }]);
  if (filter.config !== null) given.push([`config ${filter.config}`, { config: null }]);
  if (filter.source !== null) given.push([`source ${filter.source}`, { source: null }]);
  if (filter.from !== null && !Number.isNaN(Date.parse(filter.from)))
    given.push([`from ${time(filter.from)}`, { from: null }]);
  if (filter.to !== null && !Number.isNaN(Date.parse(filter.to))) given.push([`to ${time(filter.to)}`, { to: null }]);
  return given.map(([text, drop]) => (
    <Button key={text} onClick={() => change(drop)} aria-label={`Drop the filter ${text}`}>
      <span className="tabular max-w-64 truncate">{text}</span> <X aria-hidden="true" />
    </Button>
  ));
}
