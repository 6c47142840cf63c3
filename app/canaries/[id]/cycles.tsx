"use client";

import { clsx } from "clsx";
import { parseAsString, useQueryState } from "nuqs";
import { NOTHING, plural } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import type { CanaryCycle } from "@/server/domain/canary";
import type { LiveCycle } from "./canary-log";
import { StepTable } from "./step-table";
import { Waterfall, WaterfallLegend } from "./waterfall";
import { tookMs, worthSeeing } from "./waterfall-place";

const MOST = 40;
const WIDTH = 560;

/** Cycles as waterfalls, failed ones first; one can be opened to its steps and their phases. */
export function Cycles({ cycles }: { cycles: readonly LiveCycle[] }) {
  const [open, setOpen] = useQueryState("cycle", parseAsString);
  if (cycles.length === 0) return null;
  const shown = worthSeeing(cycles, MOST);
  const spanMs = Math.max(...shown.map(tookMs), 1);
  const chosen = cycles.find((cycle) => cycle.id === open) ?? null;
  const note =
    shown.length < cycles.length
      ? `${shown.length} of ${cycles.length}, failed ones first`
      : plural(cycles.length, "sandbox", "sandboxes");
  return (
    <Section title="Cycles" note={note} actions={<WaterfallLegend />}>
      <div className="scroll-x">
        <table className="grid-table">
          <caption className="sr-only">Cycles of this run, each a line of steps</caption>
          <thead>
            <tr>
              <th scope="col">Sandbox</th>
              <th scope="col" className="max-md:hidden">
                Node
              </th>
              <th scope="col">{`Steps, 0 – ${(spanMs / 1000).toFixed(1)} s`}</th>
              <th scope="col" className="num">
                Took
              </th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((cycle) => (
              <CycleRow
                key={cycle.id}
                cycle={cycle}
                spanMs={spanMs}
                open={cycle.id === open}
                onOpen={() => void setOpen(cycle.id === open ? null : cycle.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {chosen && <StepTable cycle={chosen} />}
    </Section>
  );
}

function CycleRow({
  cycle,
  spanMs,
  open,
  onOpen,
}: {
  cycle: LiveCycle;
  spanMs: number;
  open: boolean;
  onOpen(): void;
}) {
  const failed = cycle.end?.failed ?? null;
  const bad = cycle.steps.find((step) => !step.ok);
  const name = cycle.end?.sandbox ?? cycle.id;
  return (
    <tr aria-selected={open}>
      <th scope="row">
        <button
          type="button"
          onClick={onOpen}
          aria-expanded={open}
          className={clsx("mono hover:underline", open && "font-semibold")}
        >
          {name.slice(0, 8)}
        </button>
      </th>
      <td className="mono max-md:hidden">{cycle.end?.node ?? NOTHING}</td>
      <td>
        <Waterfall cycle={cycle} spanMs={spanMs} width={WIDTH} />
      </td>
      <td className="num">{(tookMs(cycle) / 1000).toFixed(2)} s</td>
      <td>
        {failed || bad ? (
          <span className="inline-flex items-center gap-1.5">
            <Tag tone={cycle.end?.ownFault ? "warn" : "bad"}>
              {cycle.end?.ownFault ? "left out" : (failed?.step ?? bad?.name)}
            </Tag>
            <span className="text-mut">{failed?.class ?? bad?.class ?? ""}</span>
          </span>
        ) : cycle.end === null ? (
          <span className="text-mut">going on</span>
        ) : (
          <Well end={cycle.end} />
        )}
      </td>
    </tr>
  );
}

function Well({ end: { cancelled, ownFault } }: { end: CanaryCycle }) {
  if (cancelled) return <Tag tone="plain">cancelled</Tag>;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Tag tone={ownFault ? "warn" : "good"}>{ownFault ? "left out" : "passed"}</Tag>
      {ownFault && <span className="text-mut">passed, but our own loop was late</span>}
    </span>
  );
}
