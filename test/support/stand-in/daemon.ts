/** The exec daemon's routes, reached through the server's proxy, a gateway, or directly. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Faults } from "./faults";
import { json, send } from "./http";
import type { Sandbox } from "./sandbox";

/** Answers for a sandbox as the proxy in front of its daemon would. */
export async function askDaemon(
  faults: Faults,
  sandbox: Sandbox,
  path: string,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<unknown> {
  const bound = Date.now() - sandbox.createdAt >= faults.bindDelayMs;
  const bad = faults.badNodes.includes(sandbox.node) && path === "/command";
  if (!bound || bad || sandbox.oomKilled) {
    const code = faults.oldBodies ? "GENERAL::UNKNOWN_ERROR" : "BACKEND_CONNECTION_FAILED";
    const message = `Could not connect to the backend sandbox endpoint='${sandbox.podIp}:44772' headers=None: All connection attempts failed`;
    return send(answer, 502, { code, message });
  }
  if (path === "/ping") return answer.writeHead(200).end();
  if (path !== "/command") return send(answer, 404, { code: "UNKNOWN", message: "no route" });
  return execute(faults, sandbox, await json(request), answer);
}

/** Bare JSON lines with a blank line between, headers with the first event, as the exec daemon writes them. */
async function execute(
  faults: Faults,
  sandbox: Sandbox,
  body: Record<string, unknown>,
  answer: ServerResponse,
): Promise<void> {
  const command = String(body.command ?? "");
  answer.writeHead(200, { "content-type": "text/event-stream" });
  const tell = (event: object) => {
    const type = "type" in event ? event.type : null;
    const terminal = type === "execution_complete" || type === "error";
    if (terminal && (faults.cutStreams || sandbox.oomKilled)) return;
    const told = faults.wrongOutput && type === "stdout" ? { ...event, text: "another sandbox\n" } : event;
    answer.write(`${JSON.stringify(told)}\n\n`);
  };
  const limit = faults.memoryLimitBytes;
  // A command announces what it is about to take; past the limit the container dies as the kernel would kill it.
  const taken = /COALMINE_TAKE_MIB=(\d+)/.exec(command)?.[1];
  if (limit !== null && taken !== undefined && Number(taken) * 1024 * 1024 > limit) {
    setTimeout(() => {
      sandbox.oomKilled = true;
      sandbox.end();
      answer.destroy();
    }, 50);
  }
  await sandbox.run(command, Number(body.timeout ?? 60_000), tell);
  answer.end();
}
