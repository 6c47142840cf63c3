import type { ReactNode } from "react";
import { rateText } from "@/app/_ui/format";
import { FactList } from "@/app/_ui/panel/fact-list";
import { Section } from "@/app/_ui/section";
import type { Percentiles, PlanName } from "@/server/domain/canary";
import type { Rate } from "@/server/domain/rate";

const NAMES: Record<string, string> = {
  createMs: "Create",
  cycleMs: "Whole cycle",
  commandMs: "Command",
  bindMs: "Daemon answers after",
  inside502: "502s inside the window",
  classes: "Failures",
  classesWithout: "Without health check",
  classesWith: "With health check",
  atOnce: "At once",
  loopDelayP99Ms: "Our own loop, 99 %",
  refusals: "Refused creates",
  bands: "By idle time",
  limitMiB: "Limit, MiB",
};

/** Said elsewhere on the page, or rows of their own. */
const LEFT_OUT = new Set(["steps", "node", "ms", "races", "tookS", "withHealthCheck"]);

/** A plan's own figures, as far as they are numbers and counts. */
export function PlanNumbers({ plan, detail }: { plan: PlanName; detail: Record<string, unknown> }) {
  const facts = Object.entries(detail)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && !isEmpty(value))
    .filter(([name, value]) => name !== "refusals" || !isEmpty((value as { byStatus?: object }).byStatus ?? {}))
    .map(
      ([name, value]) =>
        [NAMES[name] ?? name, name.endsWith("Ms") && typeof value === "number" ? `${value} ms` : say(value)] as const,
    );
  if (facts.length === 0) return null;
  return (
    <Section title={`What ${plan} measured`}>
      <FactList facts={facts} />
    </Section>
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function isPercentiles(value: unknown): value is Percentiles {
  return typeof value === "object" && value !== null && "p50" in value && "p99" in value;
}

/** Numbers by class. */
function isCounts(value: object): value is Record<string, number> {
  return Object.entries(value).every(([name, n]) => name.includes(".") && typeof n === "number");
}

/** Commands after at most so many idle seconds. */
function isBand(value: unknown): value is { toS: number; rate: Rate } {
  return typeof value === "object" && value !== null && "toS" in value && "rate" in value;
}

function say(value: unknown): ReactNode {
  if (isBand(value)) return `idle up to ${value.toS} s: ${rateText(value.rate)} failed`;
  if (isPercentiles(value)) {
    const [p50, p90, p99, max] = [value.p50, value.p90, value.p99, value.max].map((ms) => `${Math.round(ms)} ms`);
    return `median ${p50}, 90 % ${p90}, 99 % ${p99}, slowest ${max} (${value.n} measured)`;
  }
  if (Array.isArray(value)) {
    return (
      <ul>
        {value.map((one) => (
          <li key={JSON.stringify(one)}>{say(one)}</li>
        ))}
      </ul>
    );
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (isCounts(value)) {
    return Object.entries(value)
      .map(([name, n]) => `${n} × ${name}`)
      .join(", ");
  }
  return Object.entries(value)
    .filter(([, one]) => one !== null && !isEmpty(one))
    .map(([name, one]) => `${name} ${typeof one === "object" ? JSON.stringify(one) : String(one)}`)
    .join(", ");
}
