import type { ReactNode } from "react";
import { count, duration, rateText } from "@/app/_ui/format";
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

interface Refusals {
  byStatus: Record<string, number>;
  backedOffMs: number;
  givenUp: number;
}

function isRefusals(value: unknown): value is Refusals {
  return typeof value === "object" && value !== null && "byStatus" in value && "backedOffMs" in value;
}

/** `40 × 503; waited 40 s in all before asking again` */
function sayRefusals({ byStatus, backedOffMs, givenUp }: Refusals): string {
  const refused = Object.entries(byStatus).map(([status, n]) => `${count(n)} × ${status}`);
  const lost = givenUp === 0 ? "" : `, ${count(givenUp)} given up`;
  return `${refused.join(", ")}; waited ${duration(backedOffMs)} in all before asking again${lost}`;
}

function say(value: unknown): ReactNode {
  if (isRefusals(value)) return sayRefusals(value);
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
