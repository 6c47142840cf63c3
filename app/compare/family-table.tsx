import Link from "next/link";
import { FAMILY_NAME } from "@/app/_ui/families";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { cssShare, percent, rateText } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import type { CompareAnswer, FamilyComparison } from "@/server/compare/answer";
import type { Rate } from "@/server/domain/rate";
import { aroundZero } from "./axis";
import { differenceText, intervalText, unitOf } from "./compare-text";
import { DifferencePlot } from "./dumbbell";

const UNIT = unitOf({ id: "infraRate", better: "lower" });

/** What each run lost to each family, side by side. */
export function FamilyTable({ answer }: { answer: CompareAnswer }) {
  const met = answer.families.filter((one) => one.baseline.k + one.candidate.k > 0);
  const none = answer.families.filter((one) => !met.includes(one));
  const most = Math.max(0.001, ...met.flatMap((one) => [one.baseline.value, one.candidate.value]));
  const axis = aroundZero(met.flatMap((one) => [Math.abs(one.low), Math.abs(one.high)]));
  const absent = none.map((one) => FAMILY_NAME[one.family].toLowerCase()).join(", ");
  return (
    <Section title="By family" note="rollouts lost, each counted once by its first cause">
      {met.length === 0 ? (
        <p className="border-t py-2 text-mut">Neither run lost a rollout to infrastructure.</p>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Families of infrastructure failure in both runs</caption>
          <thead>
            <tr>
              <th scope="col">Family</th>
              <th scope="col" className="md:w-[210px]">
                Baseline
              </th>
              <th scope="col" className="md:w-[210px]">
                Candidate
              </th>
              <th scope="col" className="max-md:hidden">
                Candidate has
              </th>
              <th scope="col" className="w-[166px] max-lg:hidden">
                <span className="flex justify-between font-normal">
                  <span>worse</span> <span>better</span>
                </span>
              </th>
              <th scope="col" className="num" title="Fisher's exact p, corrected over the families that occurred">
                q
              </th>
            </tr>
          </thead>
          <tbody>
            {met.map((one) => (
              <Row key={one.family} answer={answer} one={one} most={most} axis={axis} />
            ))}
          </tbody>
        </table>
      )}
      {met.length > 0 && absent !== "" && (
        <p className="mt-1.5 text-small text-mut">
          None in either run (0 of {answer.baseline.finished} and 0 of {answer.candidate.finished}): {absent}.
        </p>
      )}
    </Section>
  );
}

interface RowProps {
  answer: CompareAnswer;
  one: FamilyComparison;
  most: number;
  axis: ReturnType<typeof aroundZero>;
}

function Row({ answer, one, most, axis }: RowProps) {
  const clear = one.q <= 0.05;
  const said = `${differenceText(one.difference, UNIT)} (${intervalText(one, UNIT)})`;
  return (
    <tr>
      <th scope="row">
        <span className="inline-flex items-center gap-2">
          <FamilySwatch family={one.family} /> {FAMILY_NAME[one.family]}
        </span>
      </th>
      <td>
        <Share run={answer.baseline.id} family={one.family} rate={one.baseline} most={most} />
      </td>
      <td>
        <Share run={answer.candidate.id} family={one.family} rate={one.candidate} most={most} />
      </td>
      <td className="max-md:hidden">
        <span className="block">{differenceText(one.difference, UNIT)}</span>
        <span className="tabular block text-tiny text-mut">{intervalText(one, UNIT)}</span>
      </td>
      <td className="max-lg:hidden">
        <DifferencePlot
          {...one}
          axis={axis}
          verdict={clear ? (one.difference > 0 ? "better" : "worse") : null}
          said={said}
        />
      </td>
      <td className="num text-mut">{one.q < 0.001 ? "<0.001" : one.q.toFixed(one.q < 0.0995 ? 3 : 2)}</td>
    </tr>
  );
}

interface ShareProps {
  run: string;
  family: FamilyComparison["family"];
  rate: Rate;
  most: number;
}

function Share({ run, family, rate, most }: ShareProps) {
  const href = `/runs/${encodeURIComponent(run)}?verdict=infra_failed&family=${family}#rollouts`;
  return (
    <span className="flex flex-col gap-0.5" title={rateText(rate)}>
      <span className="tabular whitespace-nowrap">
        <Link href={href} className="rows-link" aria-label={`${rate.k} lost to ${FAMILY_NAME[family]} in ${run}`}>
          {rate.k}
          <span className="text-mut">/{rate.n}</span>
        </Link>
        <span className="text-mut max-sm:hidden"> · {percent(rate.value)}</span>
      </span>
      <span
        aria-hidden="true"
        className={`fam-fill block h-2 rounded-xs fam-${family}`}
        style={{ width: cssShare(rate.value / most) }}
      />
    </span>
  );
}
