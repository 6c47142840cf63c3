import { Chance, digitsOf } from "./chance";
import { podLabels, podName } from "./kube-documents";
import type { DemoPlan, DemoSandbox } from "./plan-run";

const COMMANDS_PER_POD = 6;

function entry(
  plan: DemoPlan,
  sandbox: DemoSandbox,
  at: number,
  level: string,
  msg: string,
): { at: number; line: string } {
  const record = {
    date: at / 1000,
    stream: "stdout",
    logtag: "F",
    log: JSON.stringify({ level, ts: new Date(at).toISOString(), msg }),
    kubernetes: {
      pod_name: podName(sandbox),
      namespace_name: "opensandbox",
      pod_id: sandbox.podUid,
      host: sandbox.node,
      container_name: "sandbox",
      docker_id: digitsOf(sandbox.id, 64),
      labels: podLabels(plan, sandbox),
    },
  };
  return { at, line: `${JSON.stringify(record)}\n` };
}

/** One pod: its daemon starts, runs commands, and reports the `errors` of them that ended with exit code 1. */
function podLog(plan: DemoPlan, sandbox: DemoSandbox, errors: number): { at: number; line: string }[] {
  const step = (n: number): number => sandbox.readyAt + 4_000 + n * 41_000;
  const started = entry(plan, sandbox, sandbox.readyAt - 700, "info", "execd listening on :44772 (IPv4)");
  const commands = Array.from({ length: COMMANDS_PER_POD }, (_, n) =>
    entry(plan, sandbox, step(n), "info", "Requested: POST - /command"),
  );
  const failed = Array.from({ length: errors }, (_, n) => {
    const text = "sse: OnExecuteError write type=error error=CommandExecError: 1";
    return entry(plan, sandbox, step(n) + 20_000 + n, "info", text);
  });
  return [started, ...commands, ...failed];
}

/** The exec daemons' logs of a run as Fluent Bit ships them; empty when the run's were not collected. */
export function execdLog(plan: DemoPlan): string {
  const { execErrors } = plan.run;
  if (execErrors === null) return "";
  const sandboxes = [...plan.rollouts.flatMap((rollout) => rollout.sandbox ?? []), ...plan.verifiers];
  const errors = sandboxes.map(() => 0);
  const chance = new Chance(`${plan.run.id} exec errors`);
  for (let n = 0; n < execErrors; n += 1) {
    const open = errors.flatMap((count, i) => (count < COMMANDS_PER_POD ? [i] : []));
    const pick = open[chance.whole(0, open.length - 1)] as number;
    errors[pick] = (errors[pick] as number) + 1;
  }
  const lines = sandboxes.flatMap((sandbox, i) => podLog(plan, sandbox, errors[i] as number));
  return lines
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)
    .join("");
}
