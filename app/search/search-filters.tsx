"use client";

import { Switch } from "@base-ui/react/switch";
import { X } from "lucide-react";
import { useId } from "react";
import { useReader } from "@/app/_client/reader";
import { Button } from "@/app/_ui/button";
import { Choice, type Option } from "@/app/_ui/choice";
import { full } from "@/app/_ui/clock";
import type { RunSummary } from "@/server/domain/answers";
import type { SearchFilter, SearchState } from "./search-parsers";
import { canUseParts, fromAgo, SPANS } from "./search-time";

interface SearchFiltersProps {
  filter: SearchFilter;
  live: boolean;
  change(part: Partial<SearchState>): void;
  runs: readonly RunSummary[];
}

const NAMED = ["node", "pod", "sandbox", "source"] as const;
const SPAN_OPTIONS: Option[] = SPANS.map(({ id, name }) => ({ value: id, label: name }));

/** Which lines are looked through, and whether new ones appear by themselves. */
export function SearchFilters({ filter, live, change, runs }: SearchFiltersProps) {
  const { now } = useReader();
  const runOptions = runs.map((run) => ({ value: run.id, label: run.name }));
  return (
    <div className="mb-4 flex flex-wrap items-center gap-1.5">
      <Choice label="Run" any="All runs" value={filter.run} options={runOptions} onChange={(run) => change({ run })} />
      <Choice
        label="Time"
        any="Any time"
        value={null}
        options={SPAN_OPTIONS}
        onChange={(span) => change({ from: span === null ? null : fromAgo(span, now), to: null })}
      />
      {canUseParts(filter) && (
        <Button aria-pressed={filter.parts} onClick={() => change({ parts: !filter.parts })}>
          {filter.parts ? "Parts of words" : "Whole words"}
        </Button>
      )}
      <Given filter={filter} change={change} />
      <LiveSwitch live={live} onChange={(next) => change({ live: next })} />
    </div>
  );
}

function LiveSwitch({ live, onChange }: { live: boolean; onChange(live: boolean): void }) {
  const id = useId();
  return (
    <span className="ml-auto inline-flex h-[30px] items-center gap-2 select-none">
      <label htmlFor={id}>Live tail</label>
      <Switch.Root
        id={id}
        checked={live}
        onCheckedChange={onChange}
        className="inline-flex h-[18px] w-8 items-center rounded-full border border-field bg-bg px-0.5 data-checked:border-acc data-checked:bg-acc"
      >
        <Switch.Thumb className="size-3 rounded-full bg-field motion-safe:transition-transform data-checked:translate-x-[14px] data-checked:bg-bg" />
      </Switch.Root>
    </span>
  );
}

/** Filters that came with a link, or with a name in a line. */
function Given({ filter, change }: Pick<SearchFiltersProps, "filter" | "change">) {
  const { zone } = useReader();
  const given: [text: string, drop: Partial<SearchState>][] = [];
  for (const name of NAMED) if (filter[name] !== null) given.push([`${name} ${filter[name]}`, { [name]: null }]);
  for (const name of ["from", "to"] as const) {
    const ms = Date.parse(filter[name] ?? "");
    if (!Number.isNaN(ms)) given.push([`${name} ${full(ms, zone)}`, { [name]: null }]);
  }
  return given.map(([text, drop]) => (
    <Button key={text} onClick={() => change(drop)} aria-label={`Drop the filter ${text}`}>
      <span className="tabular max-w-64 truncate">{text}</span> <X aria-hidden="true" />
    </Button>
  ));
}
