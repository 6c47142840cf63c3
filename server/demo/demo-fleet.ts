import type { DeliveryParams } from "@/server/domain/batch";
import type { RunSettings } from "@/server/domain/run";
import { execdLog } from "./execd-log";
import { gymRows } from "./gym-rows";
import { eventList, podList } from "./kube-documents";
import { type DemoPlan, planRun } from "./plan-run";
import { DEMO_RUNS } from "./story";
import { harnessLog, serverLog } from "./text-logs";

/** One delivery of the demo fleet: what a sender would have sent, byte for byte. */
export interface DemoDelivery {
  params: DeliveryParams;
  name: string;
  bytes: Uint8Array;
}

export interface DemoFleet {
  deliveries: DemoDelivery[];
  settings: RunSettings[];
}

/** When the story ends, unless the caller says otherwise. */
export const DEMO_ENDS_AT = Date.UTC(2026, 10, 27, 18);

function deliveriesOf(plan: DemoPlan): DemoDelivery[] {
  const files: [source: string, name: string, text: string][] = [
    ["kubernetes", "pods.json", podList(plan)],
    ["kubernetes", "events.json", eventList(plan)],
    ["opensandbox-server", "server.log", serverLog(plan)],
    ["harness", "harness.log", harnessLog(plan)],
    ["execd", "execd.jsonl", execdLog(plan)],
    ["rollouts", "rollouts.jsonl", gymRows(plan)],
  ];
  const params = { format: "auto", run: plan.run.id, node: null, cluster: "demo", tz: "UTC", origin: "demo" } as const;
  return files
    .filter(([, , text]) => text !== "")
    .map(([source, name, text]) => ({
      params: { ...params, source: `demo/${source}` },
      name: `${plan.run.id}/${name}`,
      bytes: new TextEncoder().encode(text),
    }));
}

function settingsOf(plan: DemoPlan): RunSettings {
  const { run } = plan;
  return {
    id: run.id,
    name: run.name,
    planned: run.planned,
    config: run.config,
    notes: run.notes,
    labels: { benchmark: "swe-bench-verified", fleet: "demo" },
    aliases: [],
    passAt: 1,
    endedAt: plan.endsAt,
    updatedAt: plan.endsAt,
  };
}

/** The made-up demo fleet as real formats, the same bytes for the same `endsAt` (epoch ms). Load it after removing an older one. */
export function demoFleet(endsAt: number = DEMO_ENDS_AT): DemoFleet {
  const plans = DEMO_RUNS.map((run) => planRun(run, endsAt));
  return { deliveries: plans.flatMap(deliveriesOf), settings: plans.map(settingsOf) };
}

export function demoDeliveries(endsAt: number = DEMO_ENDS_AT): DemoDelivery[] {
  return demoFleet(endsAt).deliveries;
}
