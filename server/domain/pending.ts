/** Is something in this answer, or in a row of it, still being computed? Pure. */
export function isPending(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  if ("pending" in answer && answer.pending === true) return true;
  return Object.values(answer).some((part) => Array.isArray(part) && part.some(isMarked));
}

function isMarked(row: unknown): boolean {
  return typeof row === "object" && row !== null && "pending" in row && row.pending === true;
}
