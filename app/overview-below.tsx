import type { Overview } from "@/server/domain/answers";
import { LastDeliveries } from "./overview-deliveries";
import { WorstNodes } from "./overview-nodes";

/** Nodes and deliveries to look at. */
export function OverviewBelow({ overview }: { overview: Overview }) {
  return (
    <>
      <WorstNodes nodes={overview.nodes} pending={overview.pending === true} />
      <LastDeliveries deliveries={overview.deliveries} />
    </>
  );
}
