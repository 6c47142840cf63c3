/** Nodes of a run that fail more than chance explains. */
import type { Store } from "@/server/domain/store";

/** Names of suspect nodes; empty until the test over nodes is wired in. */
export async function suspectNodes(_store: Store, _labels: readonly string[]): Promise<string[]> {
  return [];
}
