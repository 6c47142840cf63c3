/** Answers of the sandbox's own programs, on ports other than execd's: their bodies are the agent's text. */
import type { Condition, Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, execd } from "./examples";

const APP_PATH = /\/proxy\/(?!44772\b)\d+(?:\/|\?|$)/;

/** An answer on a port of a program in the sandbox. */
const onAppPort = (more: Condition): Condition[] => [
  { ...more, port: { min: 1, max: 44_771 } },
  { ...more, port: { min: 44_773 } },
  { ...more, path: APP_PATH },
];

/** The server's proxy or a gateway speaks itself, whatever the port. */
const HOP_SPEAKS: readonly Condition[] = [
  {
    message:
      /Could not connect to the backend sandbox|An internal error occurred in the proxy:|OpenSandbox Ingress: |no healthy upstream|upstream (?:connect error|request timeout)|<center>(?:nginx|openresty|cloudflare)/,
  },
  { code: /::|^BACKEND_CONNECTION_FAILED$/ },
  // A lookup of an endpoint names the port, but the API answers it.
  { path: /\/endpoints\/\d+/ },
  { serverHeader: /nginx|openresty|awselb|envoy|cloudflare|haproxy/i },
];

export const APP: readonly Rule[] = [
  {
    id: "app.response",
    class: "app.response",
    when: onAppPort({ layer: CLIENT, kind: ["http", "probe"], status: { min: 400 } }),
    unless: HOP_SPEAKS,
    confidence: "likely",
    why: "The port belongs to a program in the sandbox, and neither proxy nor gateway speaks in the answer.",
    yes: [
      answered(502, "upstream payments unavailable", { port: 8080, serverHeader: "gunicorn" }),
      answered(429, "No space left on device", { path: "/v1/sandboxes/a/proxy/3000/items" }),
    ],
    no: [
      answered(502, "x", { port: 44_772, serverHeader: "uvicorn" }),
      answered(502, "Could not connect to the backend sandbox endpoint='10.42.3.17:8080' headers=None: ", {
        port: 8080,
      }),
      answered(502, ""),
    ],
  },
  {
    id: "app.access",
    class: "app.response",
    when: [{ layer: "server", kind: "access", status: { min: 400 }, path: APP_PATH }],
    confidence: "possible",
    why: "An access line has no body: on a program's port the program's own answer is the likelier.",
    yes: [
      access(502, "/v1/sandboxes/a/proxy/8080/items", { port: 8080 }),
      access(401, "/v1/sandboxes/a/proxy/8080/login"),
    ],
    no: [
      access(502, "/v1/sandboxes/a/proxy/44772/command", { port: 44_772 }),
      access(502, "/v1/sandboxes/a/endpoints/8080"),
    ],
  },
  {
    id: "app.execd_proxy",
    class: "app.response",
    when: [{ layer: "execd", message: /^Proxy error: / }],
    unless: [{ message: /^Proxy error: .{0,3000}:44772\b/ }],
    confidence: "likely",
    why: "execd's proxy did not reach a program's port inside the sandbox: the program does not listen.",
    yes: [execd("Proxy error: dial tcp 127.0.0.1:8888: connect: connection refused, request: POST /code")],
    no: [execd("Proxy error: dial tcp 10.0.0.1:44772: connect: connection refused"), agentSaid("Proxy error: boom")],
  },
  {
    id: "app.execd_answer",
    class: "agent.command_failed",
    when: [
      {
        layer: CLIENT,
        kind: ["http", "probe"],
        code: /^(FILE_NOT_FOUND|INVALID_FILE_CONTENT|INVALID_FILE_METADATA|CONTEXT_NOT_FOUND)$/,
      },
    ],
    confidence: "likely",
    why: "execd answered well: the file or context that was asked for is not there.",
    yes: [answered(404, "no such file", { code: "FILE_NOT_FOUND", port: 44_772 })],
    no: [answered(404, "Sandbox not found", { code: "KUBERNETES::SANDBOX_NOT_FOUND" })],
  },
];
