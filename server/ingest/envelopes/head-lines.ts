/** How sure a body's first lines make us of its envelope: the share of them that are in it. */

/** Lines looked at; the last of a cut head is left out because it may be torn. */
const LOOK_AT = 50;

export function shareOf(head: string, isOurs: (line: string) => boolean): number {
  const lines = head.split("\n", LOOK_AT + 1);
  if (lines.length > 1) lines.pop();
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length === 0) return 0;
  return filled.filter(isOurs).length / filled.length;
}
