import { percent } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";

interface Taken {
  mib: number;
  share: number;
  survived: boolean;
  class: string | null;
  message: string | null;
}

interface Ending {
  shown: ("state" | "pod" | "exit_code" | "stream_cut" | "none")[];
  sandboxDied: boolean;
  stateMessage: string | null;
  lastState: string | null;
}

const SHOWN = {
  state: "the server's state",
  pod: "the pod's last state",
  exit_code: "the command's exit code",
  stream_cut: "a cut stream",
  none: "nothing",
} as const;

const WIDTH = 240;

/** Memory taken step by step against the limit, and how its end was told. */
export function MemoryPicture({ detail }: { detail: Record<string, unknown> }) {
  const taken = (detail.taken ?? []) as Taken[];
  const ending = (detail.ending ?? null) as Ending | null;
  const most = Math.max(1, ...taken.map((step) => step.share));
  return (
    <Section title="Memory taken" note={`against a limit of ${String(detail.limitMiB)} MiB, dashed`}>
      <div className="scroll-x">
        <table className="grid-table">
          <caption className="sr-only">Memory taken and whether the sandbox survived it</caption>
          <tbody>
            {taken.map((step) => (
              <tr key={step.mib}>
                <th scope="row" className="num">
                  {step.mib} MiB
                </th>
                <td className="num">{percent(step.share, 0)}</td>
                <td>
                  <Bar share={step.share} most={most} survived={step.survived} />
                </td>
                <td>
                  <Tag tone={step.survived ? "good" : "bad"}>{step.survived ? "survived" : "killed"}</Tag>
                </td>
                <td className="text-mut">{[step.class, step.message].filter(Boolean).join(" · ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {ending && (
        <p className="mt-2 text-mut">
          {`Told by ${ending.shown.map((one) => SHOWN[one]).join(", ")}. ${ending.lastState ?? ending.stateMessage ?? ""}`}
        </p>
      )}
    </Section>
  );
}

function Bar({ share, most, survived }: { share: number; most: number; survived: boolean }) {
  const x = (value: number) => Math.round((value / most) * (WIDTH - 4));
  return (
    <svg width={WIDTH} height={16} aria-hidden="true" className="block max-w-full">
      <rect x={0} y={4} width={x(share)} height={8} rx={2} style={{ fill: survived ? "var(--well)" : "var(--bad)" }} />
      <line x1={x(1)} x2={x(1)} y1={0} y2={16} className="plot-expected" />
    </svg>
  );
}
