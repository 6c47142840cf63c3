/** Facts about a sandbox in the order in which they are asked for. Pure. */
import type { SandboxAnswer } from "@/server/domain/rollout-detail";

type Facts = SandboxAnswer["facts"];

const TITLES: Record<string, string> = {
  podName: "Pod",
  node: "Node",
  phase: "Phase",
  memoryLimit: "Memory limit",
  memoryRequest: "Memory request",
  cpuLimit: "CPU limit",
  cpuRequest: "CPU request",
  ttlS: "TTL",
  image: "Image",
  namespace: "Namespace",
  pool: "Pool",
  run: "Run",
  instance: "Instance",
};

const MOMENTS: readonly [name: string, title: string][] = [
  ["createdAt", "Created"],
  ["readyAt", "Ready"],
  ["endedAt", "Ended"],
];

export interface SandboxWords {
  known: { name: string; title: string; value: string | number | boolean }[];
  times: { title: string; at: string }[];
  /** From created to ended; null while either is not known. */
  ageMs: number | null;
}

/** Known names first, in a fixed order; names not heard of follow as they are. */
export function sandboxFacts(facts: Facts): SandboxWords {
  const moments = new Set(MOMENTS.map(([name]) => name));
  const names = [
    ...Object.keys(TITLES).filter((name) => name in facts),
    ...Object.keys(facts)
      .filter((name) => !(name in TITLES))
      .sort(),
  ];
  const known = names
    .filter((name) => !moments.has(name))
    .flatMap((name) => {
      const value = facts[name];
      return value === undefined ? [] : [{ name, title: TITLES[name] ?? name, value }];
    });
  const times = MOMENTS.flatMap(([name, title]) => {
    const at = timeOf(facts[name]);
    return at === null ? [] : [{ title, at: new Date(at).toISOString() }];
  });
  const [created, ended] = [timeOf(facts.createdAt), timeOf(facts.endedAt)];
  return { known, times, ageMs: created === null || ended === null || ended < created ? null : ended - created };
}

const SOURCE: Record<NonNullable<SandboxAnswer["nodeSaid"]>["by"], string> = {
  kubernetes: "the pod object",
  event: "a Kubernetes event",
  server: "the sandbox server's log",
  envelope: "the log collector",
  text: "the text of a line",
};

const HOW: Record<NonNullable<SandboxAnswer["tie"]>, string> = {
  label: "a label",
  uid: "its UID",
  name: "its name",
  ip: "an address that it held then",
  text: "its id in a text",
  record: "its id in the record",
  annotation: "an annotation",
};

/** How the node became known, step by step: `from the pod object; the pod by its name; the rollout by its id in a text`. */
export function nodeSource({ nodeSaid, tie }: SandboxAnswer): string | null {
  if (nodeSaid === null) return null;
  const steps = [`from ${SOURCE[nodeSaid.by]}`];
  if (nodeSaid.pod !== null) steps.push(`the pod by ${HOW[nodeSaid.pod]}`);
  steps.push(tie === null ? "the rollout by its instance and time" : `the rollout by ${HOW[tie]}`);
  return steps.join("; ");
}

function timeOf(value: Facts[string] | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 8.64e15 ? value : null;
}
