"use client";

import { X } from "lucide-react";
import { useReader } from "@/app/_client/reader";
import { Button } from "@/app/_ui/button";
import { Choice, type Option } from "@/app/_ui/choice";
import { minute } from "@/app/_ui/clock";
import { FAMILY_ORDER } from "@/app/_ui/families";
import { FamilyName } from "@/app/_ui/family-mark";
import { SearchField } from "@/app/_ui/search-field";
import { ALL, shownVerdict, VERDICT_NAME } from "@/app/_ui/verdicts";
import type { RunBreakdown, RunSummary } from "@/server/domain/answers";
import type { Verdict } from "@/server/domain/taxonomy-words";
import { NO_FILTER, type RowFilter } from "./row-parsers";

interface RolloutFiltersProps {
  run: RunSummary;
  breakdown: RunBreakdown | undefined;
  filter: RowFilter;
  change(part: Partial<RowFilter>): void;
  replace(part: Partial<RowFilter>): void;
}

/** The filters over the rows; each is one parameter of the URL. */
export function RolloutFilters({ run, breakdown, filter, change, replace }: RolloutFiltersProps) {
  const { zone } = useReader();
  const lost = run.infraFailed?.k ?? 0;
  const options = optionsOf(run, breakdown);
  const narrowed = Object.entries(filter).some(([name, value]) => name !== "verdict" && value !== null);
  return (
    <div className="mb-2 flex flex-wrap items-center gap-1.5">
      <Choice
        label="Verdict"
        value={shownVerdict(filter.verdict, lost)}
        options={verdictOptions(run)}
        onChange={(verdict) => change({ verdict })}
      />
      <Choice
        label="Family"
        any="Any family"
        value={filter.family}
        options={options.families}
        onChange={(family) => change({ family })}
      />
      <Choice
        label="Class"
        any="Any class"
        value={filter.class}
        options={options.classes}
        onChange={(id) => change({ class: id })}
      />
      <Choice
        label="Node"
        any="Any node"
        value={filter.node}
        options={options.nodes}
        onChange={(node) => change({ node })}
      />
      {(options.configs.length > 1 || filter.config !== null) && (
        <Choice
          label="Config"
          any="Any config"
          value={filter.config}
          options={options.configs}
          onChange={(config) => change({ config })}
        />
      )}
      <SearchField label="Task or error holds" value={filter.text} onChange={(text) => change({ text })} />
      {filter.task !== null && <Given text={`task ${filter.task}`} onDrop={() => change({ task: null })} />}
      {filter.from !== null && filter.to !== null && (
        <Given
          text={`${minute(Date.parse(filter.from), zone)}–${minute(Date.parse(filter.to), zone)}`}
          onDrop={() => change({ from: null, to: null })}
        />
      )}
      {narrowed && (
        <Button look="quiet" onClick={() => replace(NO_FILTER)}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** A filter that came with a link and has no list of its own. */
function Given({ text, onDrop }: { text: string; onDrop(): void }) {
  return (
    <Button onClick={onDrop} aria-label={`Drop the filter ${text}`}>
      <span className="tabular max-w-56 truncate">{text}</span> <X aria-hidden="true" />
    </Button>
  );
}

function verdictOptions(run: RunSummary): Option[] {
  const n: Partial<Record<Verdict, number>> = {
    infra_failed: run.infraFailed?.k ?? 0,
    not_scored: run.notScored,
    missing: run.missing ?? undefined,
  };
  const verdicts = (Object.keys(VERDICT_NAME) as Verdict[]).map((verdict) => ({
    value: verdict,
    label: VERDICT_NAME[verdict],
    n: n[verdict],
  }));
  return [{ value: ALL, label: "All", n: run.rollouts }, ...verdicts];
}

function optionsOf(run: RunSummary, breakdown: RunBreakdown | undefined) {
  const families: Option[] = FAMILY_ORDER.map((family) => ({
    value: family,
    label: <FamilyName family={family} />,
    n: run.byFamily[family],
  }));
  return {
    families: families.sort((a, b) => (b.n ?? 0) - (a.n ?? 0)),
    classes: (breakdown?.classes ?? []).flatMap((one) =>
      one.class === null || one.rollouts === 0 ? [] : [{ value: one.class, label: one.title, n: one.rollouts }],
    ),
    nodes: (breakdown?.nodes ?? [])
      .flatMap((one) =>
        one.node === null
          ? []
          : [{ value: one.node, label: <span className="mono">{one.node}</span>, n: one.rollouts }],
      )
      .sort((a, b) => a.value.localeCompare(b.value, "en", { numeric: true })),
    configs: (breakdown?.configs ?? []).flatMap((one) =>
      one.configKey === null
        ? []
        : [{ value: one.configKey, label: <span className="mono">{one.configKey}</span>, n: one.rollouts }],
    ),
  };
}
