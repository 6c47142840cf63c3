import { callUrl } from "@/app/_client/questions";

/** Who takes the list, and what the API calls its keys. */
const FORMATS = [
  ["jsonl", "JSONL"],
  ["gym", "Gym"],
  ["harbor", "Harbor"],
  ["verifiers", "verifiers"],
] as const;

/** The lost rollouts as lines that a trainer or harness leaves out. */
export function MaskLinks({ run }: { run: string }) {
  return (
    <span className="flex items-baseline gap-x-2.5 pr-1" title="The lost rollouts, to leave out of training">
      Mask list
      {FORMATS.map(([as, name]) => (
        <a key={as} href={`${callUrl("/runs", run)}/mask?as=${as}`} download className="rows-link">
          {name}
        </a>
      ))}
    </span>
  );
}
