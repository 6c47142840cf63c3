import { plural } from "@/app/_ui/format";
import type { CompareAnswer } from "@/server/compare/answer";
import type { Paired } from "./compare-parsers";
import { Segments } from "./segments";

interface PairingSwitchProps {
  answer: CompareAnswer;
  paired: Paired;
  onChange(paired: Paired): void;
}

/** What differences of pass and reward rest on. The headline is always about all rollouts. */
export function PairingSwitch({ answer, paired, onChange }: PairingSwitchProps) {
  const { pairs } = answer;
  const auto = pairs.enough ? "pairs" : "all rollouts";
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Segments<Paired>
        label="What differences rest on"
        value={paired}
        onChange={onChange}
        options={[
          { value: "auto", label: `Auto: ${auto}`, title: "Pairs, when at least half of the smaller run pairs" },
          {
            value: "paired",
            label: `Paired, ${pairs.shared}`,
            title: "Rollouts of both runs with the same task and index",
            disabled: pairs.shared === 0,
          },
          { value: "unpaired", label: "Unpaired" },
        ]}
      />
      <p className="text-small text-mut">
        {pairs.shared === 0
          ? "No rollout has a partner with the same task and index."
          : `${plural(pairs.shared, "pair")} over ${plural(pairs.tasks, "task")}; ${pairs.baselineOnly} of the baseline and ${pairs.candidateOnly} of the candidate are in none. The headline rests on all rollouts.`}
      </p>
    </div>
  );
}
