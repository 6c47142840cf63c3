import { digitsOf } from "./chance";
import type { DemoPlan, DemoRollout } from "./plan-run";

const PROVIDER = "nemo_gym.sandbox.providers.opensandbox.provider";

interface Line {
  at: number;
  text: string;
}

/** Python's logging format: `2026-08-18 04:00:00,100 LEVEL logger message`. */
function python(at: number, rest: string): Line {
  return { at, text: `${new Date(at).toISOString().replace("T", " ").replace("Z", "").replace(".", ",")} ${rest}` };
}

/** The server's layout: whole seconds with an offset, the request id in brackets. */
function server(at: number, request: string, rest: string, level = "INFO"): Line {
  const time = `${new Date(at).toISOString().slice(0, 19).replace("T", " ")}+0000`;
  return { at, text: `${`${level}:`.padEnd(9)} ${time} [${request}] ${rest}` };
}

function inOrder(lines: Line[]): string {
  return [...lines]
    .sort((a, b) => a.at - b.at)
    .map((line) => `${line.text}\n`)
    .join("");
}

const DELAYS = ["0.2", "0.5", "1.0", "2.0", "2.0"];

/** The provider's retries of one command that met a 502, `tries` of them, the last just before `before`. */
function retries502(id: string, before: number, tries: number): Line[] {
  return DELAYS.slice(0, tries).map((delay, i) => {
    const text = `Backend-connect 502 on command run; retrying submission ${i + 1}/6 in ${delay}s; sandbox_id=${id}`;
    return python(before - (tries - i) * 1_000, `WARNING ${PROVIDER} ${text}`);
  });
}

function retryLines(rollout: DemoRollout): Line[] {
  const { sandbox, retry } = rollout;
  if (sandbox === null || retry === null) return [];
  const middle = Math.round((sandbox.readyAt + rollout.endedAt) / 2);
  const wentWell = python(middle, `INFO harness sandbox_id=${sandbox.id} exec ok rc=0`);
  if (retry === "exec") return [...retries502(sandbox.id, middle, 1 + (rollout.index % 2)), wentWell];
  if (retry === "create") {
    const error =
      "SandboxReadyTimeoutException('Sandbox health check timed out after 60.0s (261 attempts). Health check returned false continuously.')";
    const text = `Retrying OpenSandbox sandbox create after attempt 1; next_sleep_s=1.2; error=${error}`;
    return [python(sandbox.createdAt - 1_500, `WARNING ${PROVIDER} ${text}`)];
  }
  const error =
    "SandboxInternalException('Unexpected SDK error occurred: Server disconnected without sending a response.')";
  const operation = `operation=command status; sandbox_id=${sandbox.id}`;
  const text = `Retrying OpenSandbox SDK operation after attempt 1; next_sleep_s=1.3; ${operation}; error=${error}`;
  return [python(middle - 1_400, `WARNING ${PROVIDER} ${text}`), wentWell];
}

function faultLines({ fault, sandbox, endedAt }: DemoRollout): Line[] {
  if (sandbox === null) return [];
  if (fault === "backend_dead" || fault === "evicted") return retries502(sandbox.id, endedAt, 5);
  if (fault !== "bind_race") return [];
  const peer = `endpoint='${sandbox.podIp}:44772' headers=None: All connection attempts failed`;
  const body = JSON.stringify({
    code: "BACKEND_CONNECTION_FAILED",
    message: `Could not connect to the backend sandbox ${peer}`,
  });
  const text = `Failed to run command. Status: 502, Body: ${body}`;
  return [python(endedAt - 20, `ERROR opensandbox.adapters.command_adapter ${text}`)];
}

/** The harness's log: sandboxes created, operations tried again, errors of its sandbox SDK. */
export function harnessLog(plan: DemoPlan): string {
  return inOrder(
    plan.rollouts.flatMap((rollout) => {
      const { sandbox } = rollout;
      const created = sandbox ? [python(sandbox.readyAt, `INFO harness sandbox_id=${sandbox.id} created`)] : [];
      return [...created, ...retryLines(rollout), ...faultLines(rollout)];
    }),
  );
}

function access(at: number, line: string, status: number): Line {
  return server(at, "-", `uvicorn.access: 10.61.0.9:50212 - "${line} HTTP/1.1" ${status}`);
}

/** Answers of the proxy, by the submissions that the harness's log tells of. */
function proxyLines({ fault, sandbox, endedAt, readyAt }: DemoRollout & { readyAt: number }): Line[] {
  if (sandbox === null) return [];
  const command = `POST /v1/sandboxes/${sandbox.id}/proxy/44772/command`;
  if (fault === "bind_race") return [access(endedAt - 30, command, 502)];
  if (fault === "proxy_error") return [access(endedAt - 30, command, 500)];
  if (fault === "backend_dead") return [5, 4, 3, 2, 1].map((n) => access(endedAt - n * 1_000 - 30, command, 502));
  return [access(readyAt + 2_000, command, 200)];
}

/** The sandbox API server's log: each create until Running, and what the proxy answered. */
export function serverLog(plan: DemoPlan): string {
  const service = "opensandbox_server.services.k8s.kubernetes_service";
  return inOrder(
    plan.rollouts.flatMap((rollout) => {
      const { sandbox } = rollout;
      if (sandbox === null) return [access(rollout.startedAt, "GET /health", 200)];
      const request = digitsOf(sandbox.id, 32);
      const wait = `${service}: Waiting for sandbox ${sandbox.id} to be Running with IP (timeout: 60s)`;
      const running = `${service}: Sandbox ${sandbox.id} state: Running - Sandbox is running`;
      return [
        server(sandbox.createdAt + 200, request, wait),
        server(sandbox.readyAt, request, running),
        access(sandbox.readyAt, "POST /v1/sandboxes", 202),
        ...proxyLines({ ...rollout, readyAt: sandbox.readyAt }),
      ];
    }),
  );
}
