/**
 * A stand-in OpenSandbox server: real HTTP, real processes for exec, several nodes, faults that can be switched on.
 * Routes, bodies and quirks follow the vendor's sources; it stands in for Kubernetes only.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { askDaemon } from "./daemon";
import { type Faults, NO_FAULTS } from "./faults";
import { json, listen, send, wait } from "./http";
import { Sandbox } from "./sandbox";

export interface StandIn {
  url: string;
  port: number;
  faults: Faults;
  sandboxes: Map<string, Sandbox>;
  /** What was asked, newest last, the gateway's included. */
  requests: { method: string; path: string; headers: IncomingMessage["headers"]; at: "server" | "gateway" }[];
  created: number;
  close(): Promise<void>;
}

export interface StandInOptions {
  nodes?: string[];
  apiKey?: string;
  faults?: Partial<Faults>;
}

/** The state of one stand-in and what it was started with. */
interface Fleet extends StandIn {
  options: StandInOptions;
  gatewayPort: number;
}

type Handler = (fleet: Fleet, request: IncomingMessage, answer: ServerResponse) => Promise<unknown>;

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const servers: Server[] = [];
  const fleet: Fleet = {
    options,
    url: "",
    port: 0,
    gatewayPort: 0,
    faults: { ...NO_FAULTS, ...options.faults },
    sandboxes: new Map(),
    requests: [],
    created: 0,
    close: async () => {
      for (const sandbox of fleet.sandboxes.values()) sandbox.end();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
  const serve = async (handle: Handler): Promise<number> => {
    const { server, port } = await listen((request, answer) => {
      void handle(fleet, request, answer).catch((error) =>
        send(answer, 500, { code: "SANDBOX::INTERNAL_ERROR", message: String(error) }),
      );
    });
    servers.push(server);
    return port;
  };
  fleet.port = await serve(onServer);
  fleet.gatewayPort = await serve(onGateway);
  fleet.url = `http://127.0.0.1:${fleet.port}`;
  return fleet;
}

/** The ingress gateway in header mode: its lookup gives its address and the header that names the sandbox. */
async function onGateway(fleet: Fleet, request: IncomingMessage, answer: ServerResponse): Promise<unknown> {
  const path = request.url ?? "/";
  fleet.requests.push({ method: request.method ?? "GET", path, headers: request.headers, at: "gateway" });
  const to = String(request.headers["opensandbox-ingress-to"] ?? "").replace(/-\d+$/, "");
  const sandbox = fleet.sandboxes.get(to);
  if (!sandbox) return answer.writeHead(404).end("OpenSandbox Ingress: sandbox not found");
  return askDaemon(fleet.faults, sandbox, path, request, answer);
}

async function onServer(fleet: Fleet, request: IncomingMessage, answer: ServerResponse): Promise<unknown> {
  const url = new URL(request.url ?? "/", fleet.url);
  const path = url.pathname.replace(/^\/v1(?=\/)/, "");
  const method = request.method ?? "GET";
  fleet.requests.push({ method, path, headers: request.headers, at: "server" });
  if (path === "/health") return send(answer, 200, { status: "healthy" });
  const { redirectTo } = fleet.faults;
  if (redirectTo !== null) return answer.writeHead(307, { location: redirectTo }).end();
  const proxied = /^\/sandboxes\/([^/]+)\/proxy\/(\d+)(\/.*)?$/.exec(path);
  const key = fleet.options.apiKey;
  if (!proxied && key !== undefined && request.headers["open-sandbox-api-key"] !== key) {
    return send(answer, 401, { code: "INVALID_API_KEY", message: "Invalid API key" });
  }
  if (path === "/sandboxes" && method === "POST") return create(fleet, request, answer);
  if (path === "/sandboxes" && method === "GET") return list(fleet, url.searchParams, answer);
  const one = /^\/sandboxes\/([^/]+)(?:\/(.*))?$/.exec(path);
  if (!one) return send(answer, 404, unknownError(fleet));
  const id = decodeURIComponent(one[1] as string);
  const sandbox = fleet.sandboxes.get(id);
  if (!sandbox) return send(answer, 404, { code: "KUBERNETES::SANDBOX_NOT_FOUND", message: `Sandbox ${id} not found` });
  if (proxied) return askDaemon(fleet.faults, sandbox, proxied[3] ?? "/", request, answer);
  return onSandbox(fleet, sandbox, { method, rest: one[2] ?? "", query: url.searchParams }, answer);
}

async function create(fleet: Fleet, request: IncomingMessage, answer: ServerResponse): Promise<unknown> {
  const body = await json(request);
  const storm = fleet.faults.createStorm;
  if (storm && storm.until > 0) {
    storm.until -= 1;
    if (storm.retryAfterS !== undefined) answer.setHeader("retry-after", String(storm.retryAfterS));
    return send(answer, storm.status, storm.body);
  }
  if (typeof body.timeout === "number" && body.timeout < 60) {
    return send(answer, 422, { detail: [{ loc: ["body", "timeout"], msg: "too small" }] });
  }
  await wait(fleet.faults.createDelayMs);
  await fleet.faults.createHeld;
  const nodes = fleet.options.nodes ?? ["node-1"];
  const n = fleet.created++;
  const podIp = `10.42.${Math.floor(n / 250) % 250}.${n % 250}`;
  const sandbox = new Sandbox(nodes[n % nodes.length] as string, podIp, {
    metadata: (body.metadata ?? {}) as Record<string, string>,
    resourceLimits: body.resourceLimits ?? {},
    resourceRequests: body.resourceRequests ?? body.resourceLimits ?? {},
    timeout: Number(body.timeout ?? 0),
  });
  fleet.sandboxes.set(sandbox.id, sandbox);
  if (fleet.faults.loseCreateAnswer) return request.socket.destroy();
  return send(answer, 202, { ...describe(fleet, sandbox), entrypoint: body.entrypoint });
}

function list(fleet: Fleet, query: URLSearchParams, answer: ServerResponse): void {
  const wanted = new URLSearchParams(query.get("metadata") ?? "");
  const page = Number(query.get("page") ?? 1);
  const pageSize = Number(query.get("pageSize") ?? 20);
  const all = [...fleet.sandboxes.values()]
    .filter((s) => [...wanted].every(([key, value]) => s.request.metadata[key] === value))
    .reverse();
  const items = all.slice((page - 1) * pageSize, page * pageSize).map((sandbox) => describe(fleet, sandbox));
  const totalPages = Math.ceil(all.length / pageSize);
  const pagination = { page, pageSize, totalItems: all.length, totalPages, hasNextPage: page < totalPages };
  send(answer, 200, { items, pagination });
}

interface Asked {
  method: string;
  rest: string;
  query: URLSearchParams;
}

function onSandbox(fleet: Fleet, sandbox: Sandbox, { method, rest, query }: Asked, answer: ServerResponse): unknown {
  if (rest === "" && method === "GET") return send(answer, 200, describe(fleet, sandbox));
  if (rest === "" && method === "DELETE") return remove(fleet, sandbox, answer);
  if (rest.startsWith("endpoints/")) {
    const port = rest.slice("endpoints/".length);
    if (query.get("use_server_proxy") === "true") {
      return send(answer, 200, { endpoint: `127.0.0.1:${fleet.port}/sandboxes/${sandbox.id}/proxy/${port}` });
    }
    const headers = { "OpenSandbox-Ingress-To": `${sandbox.id}-${port}` };
    return send(answer, 200, { endpoint: `127.0.0.1:${fleet.gatewayPort}`, headers });
  }
  if (rest === "diagnostics/inspect" && !fleet.faults.noInspect) {
    return answer.writeHead(200, { "content-type": "text/plain" }).end(sandbox.inspect());
  }
  return send(answer, 404, unknownError(fleet));
}

function remove({ faults, sandboxes }: Fleet, sandbox: Sandbox, answer: ServerResponse): unknown {
  if (faults.failDeletes > 0) {
    faults.failDeletes -= 1;
    return send(answer, 500, { code: "KUBERNETES::API_ERROR", message: "etcdserver: request timed out" });
  }
  if (!faults.stuckDelete) {
    sandbox.end();
    sandboxes.delete(sandbox.id);
  }
  return answer.writeHead(204).end();
}

/** FastAPI's own 404, which newer servers normalise. */
function unknownError({ faults }: Fleet): object {
  return faults.oldBodies ? { detail: "Not Found" } : { code: "GENERAL::UNKNOWN_ERROR", message: "Not Found" };
}

function describe(fleet: Fleet, sandbox: Sandbox) {
  const createdAt = new Date(sandbox.createdAt).toISOString();
  return {
    id: sandbox.id,
    status: { ...sandbox.status(fleet.faults.silentOom), lastTransitionAt: createdAt },
    metadata: sandbox.request.metadata,
    createdAt,
    expiresAt: new Date(sandbox.createdAt + sandbox.request.timeout * 1000).toISOString(),
  };
}
