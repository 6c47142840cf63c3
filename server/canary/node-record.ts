/** What canaries met on each node, kept as runs end. */
import type { CanaryAnswer, CanaryNodeAnswer, CanaryOnNode, PlanName } from "@/server/domain/canary";
import { wilson } from "@/server/stats/proportion";

/** Plans whose cycles are meant to go well: what fails there is not of the plan's own making. */
const FAIR_PLANS: ReadonlySet<PlanName> = new Set(["smoke", "burst", "node-check", "replay"]);
const NEWEST = 20;

interface Met {
  n: number;
  failed: number;
  newest: CanaryOnNode[];
}

export class NodeRecord {
  private readonly nodes = new Map<string, Met>();
  private readonly known = new Set<string>();

  /** Takes a run that is over; the same run twice counts once. */
  add({ id, plan, target, cycles }: Pick<CanaryAnswer, "id" | "plan" | "target" | "cycles">): void {
    if (this.known.has(id) || !FAIR_PLANS.has(plan)) return;
    this.known.add(id);
    for (const { node, at, ok, failed, ownFault, cancelled } of cycles) {
      if (node === null || ownFault || cancelled) continue;
      const met = this.nodes.get(node) ?? { n: 0, failed: 0, newest: [] };
      met.n += 1;
      if (!ok) met.failed += 1;
      const all = [...met.newest, { at, ok, failed, run: id, plan, target }];
      met.newest = all.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, NEWEST);
      this.nodes.set(node, met);
    }
  }

  /** By name. */
  answers(): CanaryNodeAnswer[] {
    const all = [...this.nodes].flatMap(([node, { n, failed, newest }]) => {
      const rate = wilson(failed, n);
      return rate === null ? [] : [{ node, failed: rate, newest }];
    });
    return all.sort((a, b) => (a.node < b.node ? -1 : 1));
  }
}
