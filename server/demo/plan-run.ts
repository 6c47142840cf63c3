import { Chance, digitsOf, idOf } from "./chance";
import { spreadPasses } from "./passes";
import type { DemoFault, DemoRun } from "./story";

/** A sandbox with the pod it ran in. Times in epoch ms. */
export interface DemoSandbox {
  id: string;
  podUid: string;
  podIp: string;
  node: string;
  createdAt: number;
  readyAt: number;
  task: string;
}

export type DemoRetry = "exec" | "create" | "transport";

/** One rollout of the demo fleet: what happened, from which every format is written. */
export interface DemoRollout {
  task: string;
  taskIndex: number;
  index: number;
  passed: boolean;
  fault: DemoFault | null;
  /** null when the sandbox was never created. */
  sandbox: DemoSandbox | null;
  startedAt: number;
  endedAt: number;
  /** A failure on the way that a second try got over. */
  retry: DemoRetry | null;
}

export interface DemoPlan {
  run: DemoRun;
  rollouts: DemoRollout[];
  /** Sandboxes that verified a result, on the node of the rollout. */
  verifiers: DemoSandbox[];
  startsAt: number;
  endsAt: number;
}

const HOUR = 3_600_000;
const PROJECTS = ["astropy", "django", "matplotlib", "pytest", "requests", "scikit-learn", "sphinx", "sympy", "xarray"];

interface Key {
  taskIndex: number;
  index: number;
  passed: boolean;
  fault: DemoFault | null;
}

/** Lays out one run: who passed, who was lost and why, when and where. `storyEndsAt` in epoch ms. */
export function planRun(run: DemoRun, storyEndsAt: number): DemoPlan {
  const chance = new Chance(run.id);
  const startsAt = storyEndsAt - run.startsBeforeEndH * HOUR;
  const keys = spaceFaults(chance.shuffle(keysOf(run, chance)));
  const nodes = nodesFor(run, keys, chance);
  const gap = (run.hours * HOUR) / keys.length;
  const rollouts = keys.map((key, i) =>
    layOut(run, key, nodes[i] as string, i, Math.round(startsAt + i * gap + chance.whole(0, 9_000)), chance),
  );
  addRetries(run, rollouts, chance);
  const verifiers = rollouts
    .filter((rollout) => rollout.fault === null)
    .slice(0, run.verifySandboxes)
    .map((rollout, i) => verifierOf(run, rollout, i));
  return { run, rollouts, verifiers, startsAt, endsAt: Math.max(...rollouts.map((rollout) => rollout.endedAt)) };
}

function faultList(run: DemoRun, chance: Chance): DemoFault[] {
  const faults = Object.entries(run.faults).flatMap(([fault, n]) =>
    Array.from({ length: n }, () => fault as DemoFault),
  );
  return chance.shuffle(faults);
}

/** Every rollout of the run; no task loses two, so that losses are not clustered by task. */
function keysOf(run: DemoRun, chance: Chance): Key[] {
  const faults = faultList(run, chance);
  let firstTask = 0;
  return run.groups.flatMap((group) => {
    const tasks = Array.from({ length: group.tasks }, (_, i) => firstTask + i);
    firstTask += group.tasks;
    const lost = new Map(
      chance
        .shuffle(tasks)
        .slice(0, group.lost)
        .map((task) => [task, faults.pop() as DemoFault]),
    );
    const open = tasks.map((task) => group.attempts - (lost.has(task) ? 1 : 0));
    const passes = spreadPasses(tasks, open, group.passed);
    return tasks.flatMap((task, i) => {
      const order = chance.shuffle(Array.from({ length: group.attempts }, (_, index) => index));
      const fault = lost.get(task) ?? null;
      return order.map((index, place): Key => {
        const isLost = fault !== null && place === group.attempts - 1;
        return { taskIndex: task, index, passed: place < (passes[i] as number), fault: isLost ? fault : null };
      });
    });
  });
}

/** Moves the lost rollouts to even distances: no burst, whatever their lengths. */
function spaceFaults(keys: readonly Key[]): Key[] {
  const lost = keys.filter((key) => key.fault !== null);
  const well = keys.filter((key) => key.fault === null);
  const step = keys.length / lost.length;
  const slots = new Map(lost.map((key, i) => [Math.floor((i + 0.5) * step), key]));
  return keys.map((_, i) => slots.get(i) ?? (well.shift() as Key));
}

/** Each round of nodes in another order, so that all have the same load; the bad node takes its own share first. */
function nodesFor(run: DemoRun, keys: readonly Key[], chance: Chance): string[] {
  const bad = new Set<number>();
  if (run.badNode) {
    const well = chance.shuffle(keys.flatMap((key, i) => (key.fault === null ? [i] : [])));
    for (const [i, key] of keys.entries()) if (key.fault !== null) bad.add(i);
    for (const i of well.slice(0, run.badNode.rollouts - bad.size)) bad.add(i);
  }
  let round: string[] = [];
  return keys.map((_, i) => {
    if (run.badNode && bad.has(i)) return run.badNode.name;
    if (round.length === 0) round = chance.shuffle(run.nodes);
    return round.pop() as string;
  });
}

/** From the command's start to its end, in ms, by what ended it. */
function lengthOf(fault: DemoFault | null, chance: Chance): number {
  if (fault === "bind_race") return chance.whole(400, 1_600);
  if (fault === "create_timeout") return 0;
  if (fault === "oom") return chance.whole(380_000, 540_000);
  return chance.whole(420_000, 900_000);
}

function layOut(run: DemoRun, key: Key, node: string, i: number, startedAt: number, chance: Chance): DemoRollout {
  const project = PROJECTS[key.taskIndex % PROJECTS.length] as string;
  const task = `${project}__${project}-${11_000 + key.taskIndex * 37}`;
  const createMs = chance.whole(5_000, 19_000);
  const length = lengthOf(key.fault, chance);
  const rollout = { ...key, task, startedAt, retry: null };
  if (key.fault === "create_timeout") return { ...rollout, sandbox: null, endedAt: startedAt + 180_000 };
  const readyAt = startedAt + createMs;
  const sandbox = sandboxOf(run, task, node, i, startedAt, readyAt);
  return { ...rollout, sandbox, endedAt: readyAt + length };
}

function sandboxOf(
  run: DemoRun,
  task: string,
  node: string,
  i: number,
  createdAt: number,
  readyAt: number,
): DemoSandbox {
  const id = idOf(`${run.id}/sandbox/${i}`);
  const network = Number.parseInt(digitsOf(run.id, 2), 16);
  const podIp = `10.${network}.${Math.floor(i / 200)}.${(i % 200) + 10}`;
  return { id, podUid: idOf(`${id}/pod`), podIp, node, createdAt, readyAt, task };
}

function verifierOf(run: DemoRun, rollout: DemoRollout, i: number): DemoSandbox {
  const node = rollout.sandbox?.node ?? (run.nodes[0] as string);
  const createdAt = rollout.endedAt - 60_000;
  return sandboxOf(run, rollout.task, node, 1_000 + i, createdAt, createdAt + 8_000);
}

function addRetries(run: DemoRun, rollouts: DemoRollout[], chance: Chance): void {
  const well = chance.shuffle(rollouts.filter((rollout) => rollout.fault === null));
  const { execRetries, createRetries, transportRetries } = run.absorbed;
  const kinds: [DemoRetry, number][] = [
    ["exec", execRetries],
    ["create", createRetries],
    ["transport", transportRetries],
  ];
  for (const [kind, n] of kinds) for (const rollout of well.splice(0, n)) rollout.retry = kind;
}
