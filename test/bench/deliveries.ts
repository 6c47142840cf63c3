/** Deliveries of made-up rollout rows, small ones and without end. */
import type { Services } from "@/server/wire";

function bodyOf(mark: string, rows: number): Buffer {
  const lines = Array.from({ length: rows }, (_, i) => {
    const lost = i % 10 === 0;
    const error = { error: "SandboxApiException: Run command failed: An internal error occurred in the proxy: " };
    return JSON.stringify({
      _ng_task_index: i,
      _ng_rollout_index: 0,
      agent_ref: { name: "bench" },
      instance_id: `${mark}-task-${i}`,
      reward: lost ? 0 : 1,
      ...(lost ? error : {}),
    });
  });
  return Buffer.from(`${lines.join("\n")}\n`);
}

let sent = 0;

/** One delivery of new rows to a run; resolves when it is durable. */
export async function deliverLines(services: Services, run: string, rows: number): Promise<void> {
  const body = bodyOf(`${process.pid}-${++sent}`, rows);
  const said = { format: "gym-rollouts", run, source: "bench", node: null, cluster: "default", tz: null };
  const chunks = async function* () {
    yield body;
  };
  const params = { ...said, origin: "fleet" as const };
  const signal = new AbortController().signal;
  await services.ingest({ params, name: null, encoding: null, body: chunks(), signal });
}

/** One delivery after the other until told to stop. */
export function keepDelivering(services: Services): { stop(): Promise<void> } {
  let going = true;
  const work = (async () => {
    while (going) await deliverLines(services, "bench-load", 2000);
  })();
  return {
    stop() {
      going = false;
      return work;
    },
  };
}
