/** Files of a bundle that were not read, counted by reason with the first few names of each. */
import type { LeftOut } from "@/server/domain/batch";

const MOST_REASONS = 50;
const MOST_EXAMPLES = 3;

export class LeftOutFiles {
  private readonly byReason = new Map<string, LeftOut>();

  add(why: string, path: string): void {
    const room = this.byReason.size < MOST_REASONS || this.byReason.has(why);
    const name = room ? why : "other reasons";
    const known = this.byReason.get(name) ?? { why: name, files: 0, examples: [] };
    known.files++;
    if (known.examples.length < MOST_EXAMPLES) known.examples.push(path);
    this.byReason.set(name, known);
  }

  /** Most files first. */
  list(): LeftOut[] {
    return [...this.byReason.values()].sort((a, b) => b.files - a.files || (a.why < b.why ? -1 : 1));
  }
}
