/** Drawing tasks with replacement. Tasks with the same numbers are one kind: only how often a kind is drawn matters. */
import { BinomialTables, randomBinomial } from "./random-binomial";
import type { SeededRandom } from "./seeded-random";

/** Tasks sorted into kinds; `columns[c][kind]` is a kind's number in column c. */
export interface TaskKinds {
  tasks: number;
  columns: Float64Array[];
  /** Tasks of each kind. */
  size: Int32Array;
  /** Kind of each task. */
  kindOf: Int32Array;
  /** Tables for each kind's count among the draws that the kinds before it left; null when tasks are drawn otherwise. */
  tables: BinomialTables[] | null;
}

/** Up to so many tasks a kind's count is looked up in a table, which costs about two single draws … */
const MOST_FOR_TABLES = 256;
const TASKS_PER_LOOKUP = 2;
/** … and beyond it is drawn by a method that costs about so many. */
const TASKS_PER_BINOMIAL = 16;

/** `columns[c][task]`. */
export function kindsOf(columns: readonly Float64Array[]): TaskKinds {
  const tasks = columns[0]?.length ?? 0;
  const kinds = new Map<string, number>();
  const first: number[] = [];
  const kindOf = new Int32Array(tasks);
  for (let task = 0; task < tasks; task++) {
    const key = columns.map((column) => column[task]).join(" ");
    const kind = kinds.get(key) ?? kinds.size;
    if (kind === kinds.size) first.push(task);
    kinds.set(key, kind);
    kindOf[task] = kind;
  }
  const size = new Int32Array(kinds.size);
  for (const kind of kindOf) size[kind] = (size[kind] ?? 0) + 1;
  const few = tasks <= MOST_FOR_TABLES && kinds.size * TASKS_PER_LOOKUP < tasks;
  return {
    tasks,
    tables: few ? tablesOf(size, tasks) : null,
    columns: columns.map((column) => Float64Array.from(first, (task) => column[task] ?? 0)),
    size,
    kindOf,
  };
}

function tablesOf(size: Int32Array, tasks: number): BinomialTables[] {
  let left = tasks;
  return Array.from(size, (ofKind) => {
    const tables = new BinomialTables(ofKind / left);
    left -= ofKind;
    return tables;
  });
}

/** Draws as many tasks as there are and adds their columns' sums to `sums`. `counts` is scratch, one per kind. */
export function addDraw(kinds: TaskKinds, random: SeededRandom, counts: Int32Array, sums: Float64Array): void {
  if (kinds.tables !== null) lookUpKinds(kinds.tables, kinds.tasks, random, counts);
  else if (kinds.size.length * TASKS_PER_BINOMIAL < kinds.tasks) drawKinds(kinds, random, counts);
  else drawTasks(kinds, random, counts);
  for (let c = 0; c < kinds.columns.length; c++) {
    const column = kinds.columns[c] as Float64Array;
    let sum = 0;
    for (let kind = 0; kind < counts.length; kind++) sum += (counts[kind] as number) * (column[kind] as number);
    sums[c] = (sums[c] as number) + sum;
  }
}

function drawTasks(kinds: TaskKinds, random: SeededRandom, counts: Int32Array): void {
  counts.fill(0);
  random.countDraws(kinds.kindOf, counts);
}

function lookUpKinds(tables: BinomialTables[], tasks: number, random: SeededRandom, counts: Int32Array): void {
  let draws = tasks;
  const last = tables.length - 1;
  for (let kind = 0; kind < last; kind++) {
    const drawn = (tables[kind] as BinomialTables).draw(random, draws);
    counts[kind] = drawn;
    draws -= drawn;
  }
  counts[last] = draws;
}

/** A multinomial draw, one kind after the other among the draws that are left. */
function drawKinds(kinds: TaskKinds, random: SeededRandom, counts: Int32Array): void {
  let draws = kinds.tasks;
  let tasks = kinds.tasks;
  for (let kind = 0; kind < counts.length; kind++) {
    const size = kinds.size[kind] as number;
    const drawn = randomBinomial(random, draws, size / tasks);
    counts[kind] = drawn;
    draws -= drawn;
    tasks -= size;
  }
}
