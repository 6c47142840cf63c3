import { FactList } from "@/app/_ui/panel/fact-list";
import { Section } from "@/app/_ui/section";
import type { CanaryAnswer } from "@/server/domain/canary";
import type { LiveCycle } from "./canary-log";
import { Cycles } from "./cycles";
import { StepTimes } from "./step-times";

interface CanaryBelowProps {
  run: CanaryAnswer;
  cycles: readonly LiveCycle[];
}

/** The run sandbox by sandbox, its steps' times, and what was asked for. */
export function CanaryBelow({ run, cycles }: CanaryBelowProps) {
  return (
    <>
      <Cycles cycles={cycles} />
      <StepTimes cycles={cycles} />
      <Asked run={run} />
    </>
  );
}

/** What the run was told to do. */
function Asked({ run }: { run: CanaryAnswer }) {
  const told = Object.entries(run.options).filter(([, value]) => !isEmpty(value));
  const set = told.map(([name, value]) => [name, <Value key={name} value={value} />] as const);
  return (
    <Section title="What was asked" note={`by ${run.by}`}>
      <FactList
        facts={[
          [
            "id",
            <span key="id" className="mono">
              {run.id}
            </span>,
          ],
          ...set,
        ]}
      />
    </Section>
  );
}

function Value({ value }: { value: unknown }) {
  return <span className="mono">{asWords(value)}</span>;
}

/** Lists with commas, objects as names and values; what is deeper as JSON. */
function asWords(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const deep = Object.values(value).some((one) => typeof one === "object" && one !== null);
  if (deep) return JSON.stringify(value);
  if (Array.isArray(value)) return value.join(", ");
  return Object.entries(value)
    .map(([name, one]) => `${name} ${String(one)}`)
    .join(", ");
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
