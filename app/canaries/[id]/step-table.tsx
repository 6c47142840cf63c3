import { NOTHING } from "@/app/_ui/format";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { CanaryStep, StepPhases } from "@/server/domain/canary";
import type { LiveCycle } from "./canary-log";

const PHASES: readonly (readonly [keyof StepPhases, string])[] = [
  ["queue", "Queue"],
  ["resolve", "Resolve"],
  ["connect", "Connect"],
  ["tls", "TLS"],
  ["write", "Write"],
  ["firstByte", "First byte"],
  ["transfer", "Transfer"],
];

/** The steps of one cycle with the phases of their requests. */
export function StepTable({ cycle }: { cycle: LiveCycle }) {
  return (
    <div className="mt-3 rounded-lg border px-3 py-2">
      <p className="mb-1">
        Sandbox <span className="mono">{cycle.end?.sandbox ?? "not made"}</span>
        {cycle.end?.node && (
          <>
            {" "}
            on <span className="mono">{cycle.end.node}</span>
          </>
        )}
      </p>
      <div className="scroll-x">
        <table className="grid-table">
          <caption className="sr-only">Steps and their phases in ms</caption>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">At</th>
              <th scope="col" className="num">
                ms
              </th>
              {PHASES.map(([id, name]) => (
                <th key={id} scope="col" className="num max-lg:hidden">
                  {name}
                </th>
              ))}
              <th scope="col">Socket</th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {cycle.steps.map((step) => (
              <StepRow key={`${step.name} ${step.at}`} step={step} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function StepRow({ step }: { step: CanaryStep }) {
  const socket =
    step.reused === null ? NOTHING : step.reused ? `kept, idle ${((step.idleMs ?? 0) / 1000).toFixed(2)} s` : "fresh";
  return (
    <tr>
      <th scope="row">{step.name}</th>
      <td>
        <When at={step.at} as="precise" />
      </td>
      <td className="num">{step.ms}</td>
      {PHASES.map(([id]) => (
        <td key={id} className="num max-lg:hidden">
          {step.phases?.[id] == null ? <span className="text-mut">{NOTHING}</span> : step.phases[id].toFixed(1)}
        </td>
      ))}
      <td className="whitespace-nowrap">{socket}</td>
      <td>
        {step.ok ? (
          (step.status ?? NOTHING)
        ) : (
          <span className="flex flex-wrap items-center gap-1.5">
            <Tag tone={step.ownFault ? "warn" : "bad"}>
              {step.ownFault ? "our own trouble" : (step.class ?? "no class")}
            </Tag>
            <span className="text-mut [overflow-wrap:anywhere]">
              {[step.status, step.code, step.message].filter(Boolean).join(" · ")}
            </span>
          </span>
        )}
      </td>
    </tr>
  );
}
