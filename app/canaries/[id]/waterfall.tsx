import type { CanaryStep } from "@/server/domain/canary";
import type { LiveCycle } from "./canary-log";
import { placeSteps } from "./waterfall-place";

const HEIGHT = 16;

/** Each step's look: what the sandbox server does, what the exec daemon does, waiting. */
const LOOK: Record<string, string> = {
  create: "var(--ink)",
  ready: "var(--mut)",
  endpoint: "var(--line2)",
  ping: "var(--mut)",
  exec: "var(--acc)",
  inspect: "var(--line2)",
  delete: "var(--well)",
};

export const STEP_LEGEND = ["create", "ready", "exec", "delete", "failed"] as const;

function fillOf(step: Pick<CanaryStep, "name" | "ok">): string {
  return step.ok ? (LOOK[step.name] ?? "var(--line2)") : "var(--bad)";
}

/** The steps of one cycle as bars on one line. */
export function Waterfall({ cycle, spanMs, width }: { cycle: LiveCycle; spanMs: number; width: number }) {
  const said = cycle.steps.map((step) => `${step.name} ${step.ms} ms${step.ok ? "" : " failed"}`).join(", ");
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      className="block max-w-full"
      role="img"
      aria-label={said}
    >
      <title>{said}</title>
      <line x1={0} x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} className="plot-axis" />
      {placeSteps(cycle, spanMs, width).map(({ step, x, width: wide }) =>
        step.name === "idle" ? null : (
          <rect
            key={`${step.name} ${step.at}`}
            x={x}
            y={step.ok ? 3 : 1}
            width={wide}
            height={step.ok ? 10 : 14}
            rx={1}
            style={{ fill: fillOf(step) }}
          />
        ),
      )}
    </svg>
  );
}

export function WaterfallLegend() {
  return (
    <ul className="flex flex-wrap gap-x-3.5 text-small text-mut">
      {STEP_LEGEND.map((name) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <svg width={10} height={10} aria-hidden="true">
            <rect width={10} height={10} rx={2} style={{ fill: fillOf({ name, ok: name !== "failed" }) }} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
