/** Repeats cycles until every node was seen often enough, and tests each node against the others. */
import { z } from "zod";
import { classInfo } from "@/server/classify/taxonomy";
import type { InfraFamily, NodeCell } from "@/server/stats/node-cells";
import { testNodes } from "@/server/stats/node-outliers";
import type { CycleResult } from "../cycle";
import { SETUP_FIELDS } from "../setup";
import { definePlan } from "./plan";
import { fairCycles, leftOut, trialsOf } from "./tally";

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  minPerNode: z.number().int().min(1).max(100).default(3).describe("Cycles wanted on every node."),
  maxCycles: z.number().int().min(1).max(2000).default(60).describe("Cycles at most, whichever nodes they met."),
  concurrency: z.number().int().min(1).max(200).default(4).describe("Cycles at once."),
  nodes: z
    .array(z.string().min(1).max(253))
    .max(2000)
    .default([])
    .describe("Nodes that are known; none: those that are seen."),
  suspect: z
    .string()
    .min(1)
    .max(253)
    .nullable()
    .default(null)
    .describe("The node in question, counted apart in the answer."),
});
type Options = z.infer<typeof optionsSchema>;

export const nodeCheck = definePlan<Options>({
  name: "node-check",
  title: "Cycles on every node: does one of them lose more than chance would?",
  optionsSchema,
  async run(context, options, signal, emit) {
    const cycles: CycleResult[] = [];
    let started = 0;
    const worker = async (): Promise<void> => {
      while (!signal.aborted && started < options.maxCycles && !isEnough(cycles, options)) {
        started += 1;
        const cycle = await context.cycle({ healthCheck: true, gapsMs: [0] });
        cycles.push(cycle);
        emit.progress(`${cycles.length} cycles, ${nodesSeen(cycles).size} nodes`, cycles.length, options.maxCycles);
        emit.point({ node: cycle.node, ok: cycle.ok });
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.concurrency, options.maxCycles) }, worker));
    return resultOf(cycles, options);
  },
});

function nodesSeen(cycles: readonly CycleResult[]): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { node } of fairCycles(cycles)) if (node !== null) seen.set(node, (seen.get(node) ?? 0) + 1);
  return seen;
}

/** Every wanted node often enough; without known nodes also twice as many cycles without a new one as nodes were seen. */
function isEnough(cycles: readonly CycleResult[], { nodes, minPerNode, suspect }: Options): boolean {
  const seen = nodesSeen(cycles);
  if (seen.size === 0) return false;
  const wanted = new Set([
    ...nodes,
    ...(suspect === null ? [] : [suspect]),
    ...(nodes.length === 0 ? seen.keys() : []),
  ]);
  const often = [...wanted].every((node) => (seen.get(node) ?? 0) >= minPerNode);
  return often && (nodes.length > 0 || cycles.length - lastNew(cycles) > seen.size * 2);
}

/** Position of the cycle that met the newest node. */
function lastNew(cycles: readonly CycleResult[]): number {
  const met = new Set<string>();
  let at = 0;
  for (const [i, { node }] of cycles.entries()) {
    if (node === null || met.has(node)) continue;
    met.add(node);
    at = i;
  }
  return at;
}

function familyOf(cycle: CycleResult): InfraFamily {
  const family = cycle.failed?.class ? classInfo(cycle.failed.class).family : "other";
  return family === "none" ? "other" : family;
}

function cellsOf(cycles: readonly CycleResult[]): NodeCell[] {
  const cells = new Map<string | null, NodeCell & { failed: Partial<Record<InfraFamily, number>> }>();
  for (const cycle of cycles) {
    const cell = cells.get(cycle.node) ?? { stratum: "canary", node: cycle.node, rollouts: 0, failed: {} };
    cell.rollouts += 1;
    if (!cycle.ok) {
      const family = familyOf(cycle);
      cell.failed[family] = (cell.failed[family] ?? 0) + 1;
    }
    cells.set(cycle.node, cell);
  }
  return [...cells.values()];
}

function resultOf(cycles: readonly CycleResult[], options: Options) {
  // A create that failed never had a node: no node can be blamed or cleared by it.
  const made = fairCycles(cycles).filter((cycle) => cycle.sandbox !== null);
  const test = testNodes(cellsOf(made), null);
  const seen = nodesSeen(cycles);
  const unseen = options.nodes.filter((node) => !seen.has(node));
  const notCreated = fairCycles(cycles).length - made.length;
  const ofSuspect = options.suspect === null ? null : (test.nodes.find((one) => one.node === options.suspect) ?? null);
  const notes = [
    options.nodes.length === 0 ? "The nodes are those that were seen; others may exist." : null,
    unseen.length > 0 ? `Never seen: ${unseen.join(", ")}.` : null,
    notCreated > 0 ? `${notCreated} creates failed and have no node.` : null,
  ].filter((note) => note !== null);
  const verdict = ofSuspect ? ` ${inCycles(ofSuspect.sentence).replace(/^It had/, `${ofSuspect.node} had`)}` : "";
  const trials = trialsOf(cycles);
  return {
    ok: seen.size === 0 ? false : test.suspects.length === 0 && !test.fleetWide,
    sentence:
      seen.size === 0
        ? "No cycle says which node it ran on."
        : `${inCycles(test.sentence)}${verdict}${leftOut(trials)}`,
    trials,
    detail: {
      nodes: test.nodes.map(({ strata: _, attribution: __, ...node }) => ({
        ...node,
        sentence: inCycles(node.sentence),
      })),
      suspects: test.suspects,
      fleetWide: test.fleetWide,
      suspect: ofSuspect?.verdict ?? null,
      known: options.nodes.length > 0,
      unseen,
      notCreated,
      notes,
    },
  };
}

/** The test speaks of rollouts; here each is a cycle. */
function inCycles(sentence: string): string {
  return sentence.replace(/\brollout(?=s?\b)/g, "cycle");
}
