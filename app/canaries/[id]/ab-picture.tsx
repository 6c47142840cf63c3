import { percent, pValue, rateText } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { fractionEnd } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";
import type { Rate } from "@/server/domain/rate";
import { points } from "@/server/stats/percent";

interface AbDetail {
  names: { a: string; b: string };
  rates: { a: Rate | null; b: Rate | null };
  difference: { value: number; low: number; high: number } | null;
  p: number | null;
  reason: string;
}

/** Both arms on one axis, and their difference. */
export function AbPicture({ detail }: { detail: Record<string, unknown> }) {
  const { names, rates, difference, p, reason } = detail as unknown as AbDetail;
  const end = fractionEnd([rates.a?.high ?? 0, rates.b?.high ?? 0]);
  return (
    <Section title="Two settings in turns" note={`share of tries that failed, 0 – ${percent(end, 0)}`}>
      <table className="grid-table">
        <caption className="sr-only">Failed tries by setting</caption>
        <tbody>
          {(["a", "b"] as const).map((side) => (
            <tr key={side}>
              <th scope="row">{names[side]}</th>
              <td>
                <IntervalPlot rate={rates[side]} end={end} width={320} />
                <span className="text-small text-mut sm:hidden">{rateText(rates[side])}</span>
              </td>
              <td className="tabular max-sm:hidden">{rateText(rates[side])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {difference && (
        <p className="mt-2 text-mut">
          {`${names.b} against ${names.a}: ${apart(difference.value)} lost (95 % interval ${apart(difference.low)} to ${apart(difference.high)}${p === null ? "" : `; p ${pValue(p)}`}). ${reason}`}
        </p>
      )}
    </Section>
  );
}

/** The difference as the candidate's: positive where it loses less. */
function apart(share: number): string {
  return `${points(share)} ${share < 0 ? "more" : "fewer"}`;
}
