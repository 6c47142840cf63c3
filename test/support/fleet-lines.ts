/** Log lines of a small fleet as Fluent Bit sends them, with a failure every seventh line; the same for the same arguments. */

const FAILURES = [
  "StreamEvent.OnExecuteStdout: client disconnected",
  "CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable",
  "Proxy error: dial tcp 127.0.0.1:44772: connect: connection refused, request: POST /command",
];

/** `count` lines, each with its newline, over `pods` pods on eight nodes, one a second. */
export function fleetLines(count: number, pods = 20): string[] {
  return Array.from({ length: count }, (_, i) => fleetLine(i, i % pods));
}

function fleetLine(i: number, pod: number): string {
  const at = Date.parse("2026-11-20T04:00:00Z") + i * 1000;
  const failure = i % 7 === 0 ? FAILURES[i % FAILURES.length] : undefined;
  const id = `00000000-0000-4000-a000-${String(pod).padStart(12, "0")}`;
  const record = {
    date: at / 1000,
    stream: "stderr",
    log: JSON.stringify({
      level: failure === undefined ? "info" : "error",
      ts: new Date(at).toISOString(),
      msg: failure ?? "Requested: POST - /command",
    }),
    kubernetes: {
      pod_name: `${id}-0`,
      namespace_name: "opensandbox",
      pod_id: `uid-${pod}`,
      host: `n-${pod % 8}`,
      labels: { "opensandbox.io/id": id, "nemo-gym.nvidia.com/run": `run-${pod % 2}` },
      container_name: "sandbox",
    },
  };
  return `${JSON.stringify(record)}\n`;
}
