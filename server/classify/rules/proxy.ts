/** The server's proxy towards execd: its 502 and 500 bodies, old and new, its access lines, and typed harness errors. */
import type { Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, execd, harness, probe, raised, record, server } from "./examples";
import { DISCONNECTED } from "./transport-tokens";

const BACKEND_TEXT =
  /Could not connect to the backend sandbox|BACKEND_CONNECTION_FAILED|Backend-connect 502|WebSocket.{0,300}Connect call failed \('[\d.]+', 44772\)|WebSocket.{0,200}:44772\b.{0,200}(?:fail|refused|timed? ?out|timeout|Connect)|(?:fail|refused|could not connect|cannot connect).{0,200}wss?:\/\/\S{1,100}:44772\b/i;
const PROXY_ERROR_EXECD = /^Proxy error: .{0,3000}:44772\b/;
const EXECD_PATH = /\/proxy\/44772(?:\/|\?|$)/;
const PROXY_500 = /An internal error occurred in the proxy:/;
const DEAD = /Sandbox backend unreachable through \d+ submissions|[Ff]ailed to get session command/;

const backend = (more: Record<string, unknown>) => [
  { ...more, layer: [...CLIENT, "server", "gateway"] as const, message: BACKEND_TEXT },
  { ...more, layer: [...CLIENT, "server"] as const, code: "BACKEND_CONNECTION_FAILED" },
  { ...more, layer: "execd" as const, message: PROXY_ERROR_EXECD },
  { ...more, layer: "server" as const, kind: "access" as const, status: 502, path: EXECD_PATH },
  { ...more, layer: "canary" as const, kind: "probe" as const, status: 502, path: EXECD_PATH },
  { ...more, layer: "canary" as const, kind: "probe" as const, status: 502, port: 44_772 },
];

export const PROXY: readonly Rule[] = [
  {
    id: "proxy.backend_dead",
    class: "proxy.backend_dead",
    when: [
      { layer: CLIENT, message: /Sandbox backend unreachable through \d+ submissions/ },
      { layer: CLIENT, errorChain: "SandboxBackendUnreachableError" },
      { layer: CLIENT, errorType: "SandboxBackendUnreachableError" },
      { layer: CLIENT, producerClass: "SandboxBackendUnreachableError" },
    ],
    unless: [{ kind: "retry" }],
    confidence: "certain",
    why: "The harness gave up after its last submission: a typed error.",
    yes: [
      raised(
        "SandboxBackendUnreachableError",
        "Sandbox backend unreachable through 6 submissions of 'command run' (proxy 502: no TCP connection to execd)",
      ),
    ],
    no: [
      harness("Backend-connect 502 on command run; retrying submission 5/6 in 2.0s", { kind: "retry" }),
      agentSaid("Sandbox backend unreachable through 6 submissions"),
    ],
  },
  {
    id: "proxy.backend_dead_session",
    class: "proxy.backend_dead",
    when: [{ layer: CLIENT, message: DEAD }],
    confidence: "possible",
    why: "The runner could not fetch the command's session from its sandbox.",
    yes: [harness("failed to get session command")],
    no: [harness("failed to get session command: bad request: no IP address found. Is the Sandbox started?")],
  },
  {
    id: "proxy.backend_disconnected",
    class: "proxy.backend_disconnected",
    when: [
      {
        layer: [...CLIENT, "server"],
        message:
          /An internal error occurred in the proxy: .{0,200}(?:[Ss]erver disconnected|peer closed connection|ECONNRESET|[Cc]onnection reset)/,
      },
      { layer: "server", kind: ["error", "line"], message: DISCONNECTED },
      { layer: "server", kind: "error", errorType: /^(RemoteProtocolError|ServerDisconnectedError)$/ },
    ],
    confidence: "certain",
    why: "Inside the proxy's 500 the disconnect is between server and execd, not between client and server.",
    yes: [answered(500, "An internal error occurred in the proxy: Server disconnected without sending a response.")],
    no: [
      harness("Server disconnected without sending a response."),
      answered(500, "An internal error occurred in the proxy: "),
    ],
  },
  {
    id: "proxy.pool_exhausted",
    class: "proxy.pool_exhausted",
    when: [
      { layer: "server", errorType: "PoolTimeout" },
      { layer: "server", errorChain: "PoolTimeout" },
      { layer: [...CLIENT, "server"], message: /An internal error occurred in the proxy: .{0,100}PoolTimeout/ },
      { layer: "server", kind: ["error", "line"], message: /\bPoolTimeout\b/ },
    ],
    confidence: "certain",
    why: "All connections of the server's shared pool were taken.",
    yes: [server("proxy request failed\nhttpx.PoolTimeout", { errorType: "PoolTimeout" })],
    no: [harness("httpx.PoolTimeout", { errorType: "PoolTimeout" })],
  },
  {
    id: "proxy.internal_5xx_body",
    class: "proxy.internal_5xx",
    when: [{ layer: [...CLIENT, "server"], message: PROXY_500 }],
    confidence: "certain",
    why: "The proxy's own body; the reason behind the colon is often empty, which is a timeout.",
    yes: [answered(500, "An internal error occurred in the proxy: ")],
    no: [answered(500, "Internal Server Error"), agentSaid("An internal error occurred in the proxy: ")],
  },
  {
    id: "proxy.bind_race",
    class: "proxy.bind_race",
    when: backend({ phase: "create" }),
    confidence: "likely",
    why: "While the sandbox was still being made, its daemon did not listen yet.",
    yes: [
      harness("Backend-connect 502 on command run; retrying submission 1/6 in 0.2s", {
        kind: "retry",
        phase: "create",
      }),
      probe({ status: 502, port: 44_772, phase: "create" }),
    ],
    no: [
      harness("Backend-connect 502 on command run; retrying submission 1/6 in 0.2s", { kind: "retry", phase: "exec" }),
    ],
  },
  {
    id: "proxy.backend_502",
    class: "proxy.backend_502",
    when: backend({}),
    confidence: "certain",
    why: "The server itself says that it got no connection to execd: body, code or its own access line.",
    yes: [
      answered(
        502,
        "Could not connect to the backend sandbox endpoint='10.42.3.17:44772' headers=None: All connection attempts failed",
      ),
      answered(502, "whatever", { code: "BACKEND_CONNECTION_FAILED" }),
      access(502, "/v1/sandboxes/a/proxy/44772/command", { port: 44_772 }),
      execd("Proxy error: dial tcp 10.0.0.1:44772: connect: connection refused"),
      harness("Backend-connect 502 on command run; retrying submission 1/6 in 0.2s", { kind: "retry" }),
    ],
    no: [
      answered(502, "<title>502 Bad Gateway</title><center>nginx/1.27.0</center>", { port: 44_772 }),
      access(502, "/v1/sandboxes/a/proxy/8080/items", { port: 8080 }),
      execd("Proxy error: dial tcp 127.0.0.1:8888: connect: connection refused"),
      agentSaid("502 Bad Gateway"),
    ],
  },
  {
    id: "proxy.internal_5xx_status",
    class: "proxy.internal_5xx",
    when: [
      { layer: "server", kind: "access", status: [500, 503, 504], path: EXECD_PATH },
      { layer: CLIENT, kind: ["http", "probe"], status: 500, port: 44_772 },
      { layer: CLIENT, kind: ["http", "probe"], status: 500, path: EXECD_PATH },
      { layer: "server", kind: "error", errorType: /^(ReadError|ReadTimeout|ConnectTimeout|WriteError|WriteTimeout)$/ },
    ],
    unless: [{ code: "RUNTIME_ERROR" }],
    confidence: "likely",
    why: "The server answered 500 for a request to execd, which is how it reports any fault but a refused connection.",
    yes: [access(500, "/v1/sandboxes/a/proxy/44772/command", { port: 44_772 })],
    no: [access(500, "/v1/sandboxes"), answered(500, "boom", { code: "RUNTIME_ERROR", port: 44_772 }), record("500")],
  },
];
