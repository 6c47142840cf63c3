/** What is kept of a line besides its columns, as one number: eight bits of marks, above them its part. Most are 0. */
import type { LineMarks } from "@/server/domain/archive";

const LEVELS = ["debug", "info", "warn", "error", "fatal"] as const;
const FLAGS = ["ownTime", "parsed", "partial", "broken", "cut"] as const;
const LEVEL_UNIT = 2 ** FLAGS.length;
const PART_UNIT = LEVEL_UNIT * 8;

export function packMarks(marks: LineMarks): number {
  const flags = FLAGS.reduce((sum, flag, bit) => sum + (marks[flag] ? 2 ** bit : 0), 0);
  const level = marks.level === undefined ? 0 : LEVELS.indexOf(marks.level) + 1;
  return flags + level * LEVEL_UNIT + (marks.part ?? 0) * PART_UNIT;
}

/** The marks of a line of which not all is kept. */
export function withCut(packed: number): number {
  const bit = 2 ** FLAGS.indexOf("cut");
  return Math.floor(packed / bit) % 2 === 1 ? packed : packed + bit;
}

export function unpackMarks(packed: number): LineMarks {
  if (packed === 0) return {};
  const marks: LineMarks = {};
  const bits = packed % PART_UNIT;
  for (const [bit, flag] of FLAGS.entries()) if ((bits >> bit) % 2 === 1) marks[flag] = true;
  const level = LEVELS[Math.floor(bits / LEVEL_UNIT) - 1];
  if (level !== undefined) marks.level = level;
  if (packed >= PART_UNIT) marks.part = Math.floor(packed / PART_UNIT);
  return marks;
}
