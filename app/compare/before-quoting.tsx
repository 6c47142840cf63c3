import { count, percent, percentRange, rateText } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import type { CompareAnswer, RunSide } from "@/server/compare/answer";

/** What to know before the sentence is quoted: bounds, what is missing, what these sizes can show. */
export function BeforeQuoting({ answer }: { answer: CompareAnswer }) {
  const { detectable } = answer;
  return (
    <Section title="Before quoting" className="mb-8 min-w-0">
      <ul className="flex list-disc flex-col gap-1 border-t py-2 pl-4 marker:text-mut">
        {answer.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {bounds(answer.baseline) && bounds(answer.candidate) && (
          <li>
            Had all lost rollouts failed, or all passed, pass@1 would lie between {bounds(answer.baseline)} in the
            baseline and {bounds(answer.candidate)} in the candidate.
          </li>
        )}
        {[answer.baseline, answer.candidate].map(
          (side) =>
            side.missing !== null &&
            side.missing > 0 && (
              <li key={side.id}>
                With its {count(side.missing)} missing rollouts taken for lost, {side.name} would have lost{" "}
                {rateText(side.lost)}.
              </li>
            ),
        )}
        {detectable && <Power answer={answer} detectable={detectable} />}
      </ul>
      <p className="text-small text-mut">
        Intervals of pass@1 and reward resample tasks {count(answer.resamples)} times, seed {answer.seed}.
      </p>
    </Section>
  );
}

function bounds({ passAt1Bounds }: RunSide): string | null {
  return passAt1Bounds === null ? null : percentRange(passAt1Bounds[0], passAt1Bounds[1]);
}

interface PowerProps {
  answer: CompareAnswer;
  detectable: NonNullable<CompareAnswer["detectable"]>;
}

/** The smallest change that these two runs would show four times out of five. */
function Power({ answer, detectable }: PowerProps) {
  const { decrease, increase, neededPerRun } = detectable;
  const sizes = `${count(answer.baseline.finished)} and ${count(answer.candidate.finished)} rollouts`;
  const points = (share: number) => percent(share).replace(" %", " points");
  if (decrease === null && increase === null) return null;
  return (
    <li title={detectable.formula}>
      {sizes} show, four times out of five,{" "}
      {[
        decrease === null ? null : `a decrease of ${points(decrease)}`,
        increase === null ? null : `an increase of ${points(increase)}`,
      ]
        .filter(Boolean)
        .join(" or ")}
      {neededPerRun !== null && `; the difference seen here takes about ${count(neededPerRun)} per run`}.
    </li>
  );
}
