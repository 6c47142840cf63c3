/** Images that nodes could not pull, by the reason they gave. */
import { capital, classLinks, factsOf, severityOf, sumOf, toll } from "./class-facts";
import type { Check, ClassFacts } from "./finding";
import { winBack } from "./win-back";

const CLASSES = ["pod.image_pull"];
const FEW = 3;

/** What helps, by sub-cause as the rules name it. */
const HELP: Record<string, string> = {
  not_found: "the image or its tag does not exist: correct the name, or push it",
  auth: "the registry refused the credentials: give the pods an imagePullSecret",
  rate_limit: "the registry limits pulls: sign in, or pull through a mirror of your own",
  disk: "the node's disk is full: clear old images, or give it more",
  tls: "the registry's certificate was refused: install its CA on the nodes",
};
const OTHERWISE = "pull the images to the nodes before the run, or through a mirror near them";

export const imagePulls: Check = (input) => {
  const facts = factsOf(input, CLASSES);
  const sum = sumOf(facts);
  if (sum.rollouts === 0 && sum.incidents < FEW) return null;
  const main = mainCause(facts);
  return {
    id: "image-pulls",
    run: input.run,
    title: "Images could not be pulled",
    severity: severityOf(sum.rollouts, input),
    text: `${capital(toll(sum) ?? `${sum.incidents} pulls failed, nothing was lost to it yet`)}: ${main ? `in ${main.n} of ${main.of} cases looked at ` : ""}${HELP[main?.cause ?? ""] ?? OTHERWISE}.`,
    rolloutsAffected: sum.rollouts,
    winBack: winBack(sum.rollouts, sum.rollouts, input),
    evidence: classLinks(input, CLASSES),
    change: null,
    canaryPlan: { plan: "smoke", options: {} },
  };
};

function mainCause(facts: readonly ClassFacts[]): { cause: string; n: number; of: number } | null {
  const samples = facts.flatMap((one) => one.samples);
  const counts = new Map<string, number>();
  for (const { subCause } of samples) if (subCause !== null) counts.set(subCause, (counts.get(subCause) ?? 0) + 1);
  const [first] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return first ? { cause: first[0], n: first[1], of: samples.length } : null;
}
