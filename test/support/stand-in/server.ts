/**
 * A stand-in OpenSandbox server: real HTTP, real processes for exec, several nodes, faults that can be switched on.
 * Routes, bodies and quirks follow the vendor's sources; it stands in for Kubernetes only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Faults, NO_FAULTS, Sandbox } from "./sandbox";

export interface StandIn {
  url: string;
  port: number;
  faults: Faults;
  sandboxes: Map<string, Sandbox>;
  /** What was asked, newest last. */
  requests: { method: string; path: string; headers: IncomingMessage["headers"] }[];
  created: number;
  close(): Promise<void>;
}

export interface StandInOptions {
  nodes?: string[];
  apiKey?: string;
  faults?: Partial<Faults>;
}

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const state: StandIn = {
    url: "",
    port: 0,
    faults: { ...NO_FAULTS, ...options.faults },
    sandboxes: new Map(),
    requests: [],
    created: 0,
    close: async () => {
      for (const sandbox of state.sandboxes.values()) sandbox.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, answer) => {
    void handle(state, options, request, answer).catch((error) =>
      send(answer, 500, { code: "SANDBOX::INTERNAL_ERROR", message: String(error) }),
    );
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.port = (server.address() as AddressInfo).port;
  state.url = `http://127.0.0.1:${state.port}`;
  return state;
}

async function handle(
  state: StandIn,
  options: StandInOptions,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<unknown> {
  const url = new URL(request.url ?? "/", state.url);
  const path = url.pathname.replace(/^\/v1(?=\/)/, "");
  const method = request.method ?? "GET";
  state.requests.push({ method, path, headers: request.headers });
  if (path === "/health") return send(answer, 200, { status: "healthy" });
  const proxied = /^\/sandboxes\/([^/]+)\/proxy\/(\d+)(\/.*)?$/.exec(path);
  if (!proxied && options.apiKey !== undefined && request.headers["open-sandbox-api-key"] !== options.apiKey) {
    return send(answer, 401, { code: "INVALID_API_KEY", message: "Invalid API key" });
  }
  if (proxied) return proxy(state, proxied[1] as string, proxied[3] ?? "/", request, answer);
  if (path === "/sandboxes" && method === "POST") return create(state, options, await json(request), answer);
  if (path === "/sandboxes" && method === "GET") return list(state, url.searchParams, answer);
  const one = /^\/sandboxes\/([^/]+)(?:\/(.*))?$/.exec(path);
  const sandbox = one ? state.sandboxes.get(decodeURIComponent(one[1] as string)) : undefined;
  if (!one) return send(answer, 404, { code: "GENERAL::UNKNOWN_ERROR", message: "Not Found" });
  if (!sandbox)
    return send(answer, 404, { code: "KUBERNETES::SANDBOX_NOT_FOUND", message: `Sandbox ${one[1]} not found` });
  return onSandbox(state, sandbox, method, one[2] ?? "", url.searchParams, answer);
}

async function create(
  state: StandIn,
  options: StandInOptions,
  body: Record<string, unknown>,
  answer: ServerResponse,
): Promise<void> {
  const storm = state.faults.createStorm;
  if (storm && storm.until > 0) {
    storm.until -= 1;
    if (storm.retryAfterS !== undefined) answer.setHeader("retry-after", String(storm.retryAfterS));
    return send(answer, storm.status, storm.body);
  }
  if (typeof body.timeout === "number" && body.timeout < 60)
    return send(answer, 422, { detail: [{ loc: ["body", "timeout"], msg: "too small" }] });
  await wait(state.faults.createDelayMs);
  const nodes = options.nodes ?? ["node-1"];
  const n = state.created++;
  const sandbox = new Sandbox(nodes[n % nodes.length] as string, `10.42.${Math.floor(n / 250) % 250}.${n % 250}`, {
    metadata: (body.metadata ?? {}) as Record<string, string>,
    resourceLimits: body.resourceLimits ?? {},
    resourceRequests: body.resourceRequests ?? body.resourceLimits ?? {},
    timeout: Number(body.timeout ?? 0),
  });
  state.sandboxes.set(sandbox.id, sandbox);
  send(answer, 202, { ...describe(state, sandbox), entrypoint: body.entrypoint });
}

function list(state: StandIn, query: URLSearchParams, answer: ServerResponse): void {
  const wanted = new URLSearchParams(query.get("metadata") ?? "");
  const page = Number(query.get("page") ?? 1);
  const pageSize = Number(query.get("pageSize") ?? 20);
  const all = [...state.sandboxes.values()]
    .filter((s) => [...wanted].every(([key, value]) => s.request.metadata[key] === value))
    .reverse();
  const items = all.slice((page - 1) * pageSize, page * pageSize).map((sandbox) => describe(state, sandbox));
  const totalPages = Math.ceil(all.length / pageSize);
  send(answer, 200, {
    items,
    pagination: { page, pageSize, totalItems: all.length, totalPages, hasNextPage: page < totalPages },
  });
}

function onSandbox(
  state: StandIn,
  sandbox: Sandbox,
  method: string,
  rest: string,
  query: URLSearchParams,
  answer: ServerResponse,
): unknown {
  if (rest === "" && method === "GET") return send(answer, 200, describe(state, sandbox));
  if (rest === "" && method === "DELETE") {
    if (!state.faults.stuckDelete) {
      sandbox.end();
      state.sandboxes.delete(sandbox.id);
    }
    answer.writeHead(204).end();
    return;
  }
  if (rest.startsWith("endpoints/")) {
    const port = rest.slice("endpoints/".length);
    if (query.get("use_server_proxy") !== "true") return send(answer, 200, { endpoint: `${sandbox.podIp}:${port}` });
    return send(answer, 200, { endpoint: `127.0.0.1:${state.port}/sandboxes/${sandbox.id}/proxy/${port}` });
  }
  if (rest === "diagnostics/inspect" && !state.faults.noInspect) {
    answer.writeHead(200, { "content-type": "text/plain" }).end(inspect(sandbox));
    return;
  }
  send(answer, 404, { code: "GENERAL::UNKNOWN_ERROR", message: "Not Found" });
}

async function proxy(
  state: StandIn,
  id: string,
  path: string,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const sandbox = state.sandboxes.get(id);
  if (!sandbox) return send(answer, 404, { code: "KUBERNETES::SANDBOX_NOT_FOUND", message: `Sandbox ${id} not found` });
  const bound = Date.now() - sandbox.createdAt >= state.faults.bindDelayMs;
  const bad = state.faults.badNodes.includes(sandbox.node) && path === "/command";
  if (!bound || bad || sandbox.oomKilled) {
    const code = state.faults.oldBodies ? "GENERAL::UNKNOWN_ERROR" : "BACKEND_CONNECTION_FAILED";
    const message = `Could not connect to the backend sandbox endpoint='${sandbox.podIp}:44772' headers=None: All connection attempts failed`;
    return send(answer, 502, { code, message });
  }
  if (path === "/ping") {
    answer.writeHead(200).end();
    return;
  }
  if (path !== "/command") return send(answer, 404, { code: "UNKNOWN", message: "no route" });
  const body = await json(request);
  await execute(state, sandbox, body, answer);
}

/** Bare JSON lines with a blank line between, headers with the first event, as the exec daemon writes them. */
async function execute(
  state: StandIn,
  sandbox: Sandbox,
  body: Record<string, unknown>,
  answer: ServerResponse,
): Promise<void> {
  const command = String(body.command ?? "");
  answer.writeHead(200, { "content-type": "text/event-stream" });
  const tell = (event: object) => {
    const terminal = "type" in event && (event.type === "execution_complete" || event.type === "error");
    if (terminal && (state.faults.cutStreams || sandbox.oomKilled)) return;
    answer.write(`${JSON.stringify(event)}\n\n`);
  };
  const limit = state.faults.memoryLimitBytes;
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

function describe(state: StandIn, sandbox: Sandbox) {
  return {
    id: sandbox.id,
    status: { ...sandbox.status(state.faults.silentOom), lastTransitionAt: new Date(sandbox.createdAt).toISOString() },
    metadata: sandbox.request.metadata,
    createdAt: new Date(sandbox.createdAt).toISOString(),
    expiresAt: new Date(sandbox.createdAt + sandbox.request.timeout * 1000).toISOString(),
  };
}

function inspect(sandbox: Sandbox): string {
  const last = sandbox.oomKilled ? "    Last State:     Terminated (exit=137, reason=OOMKilled)\n" : "";
  return `Pod Name:       ${sandbox.id}-0
Namespace:      opensandbox
Node:           ${sandbox.node}
Phase:          ${sandbox.oomKilled ? "Failed" : "Running"}
Pod IP:         ${sandbox.podIp}
Host IP:        10.0.0.1
Start Time:     ${new Date(sandbox.createdAt).toISOString()}

Containers:
  sandbox:
    Ready:          ${!sandbox.oomKilled}
    Restart Count:  0
    State:          ${sandbox.oomKilled ? "Waiting" : "Running"}
${last}
Resources:
  Requests: ${JSON.stringify(sandbox.request.resourceRequests)}
  Limits: ${JSON.stringify(sandbox.request.resourceLimits)}
`;
}

async function json(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(answer: ServerResponse, status: number, body: unknown): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function wait(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
