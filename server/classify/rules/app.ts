/** Answers of the sandbox's own programs, on ports other than execd's. */
import type { Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, execd } from "./examples";

const APP_PATH = /\/proxy\/(?!44772\b)\d+(?:\/|\?|$)/;
const BELOW = { min: 1, max: 44_771 };
const ABOVE = { min: 44_773 };
const APP_SERVER = /gunicorn|werkzeug|uvicorn|express|hypercorn|SimpleHTTP|Jetty|Apache|Kestrel|Puma/i;

export const APP_TYPED: readonly Rule[] = [
  {
    id: "app.response_header",
    class: "app.response",
    when: [
      { layer: CLIENT, kind: ["http", "probe"], status: { min: 400 }, port: BELOW, serverHeader: APP_SERVER },
      { layer: CLIENT, kind: ["http", "probe"], status: { min: 400 }, port: ABOVE, serverHeader: APP_SERVER },
    ],
    confidence: "certain",
    why: "The header names the application server in the sandbox.",
    yes: [answered(502, "upstream payments unavailable", { port: 8080, serverHeader: "gunicorn" })],
    no: [answered(502, "x", { port: 44_772, serverHeader: "uvicorn" })],
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
];

export const APP_STATUS: readonly Rule[] = [
  {
    id: "app.response_port",
    class: "app.response",
    when: [
      { layer: [...CLIENT, "server"], kind: ["http", "access", "probe"], status: { min: 400 }, port: BELOW },
      { layer: [...CLIENT, "server"], kind: ["http", "access", "probe"], status: { min: 400 }, port: ABOVE },
      {
        layer: [...CLIENT, "server", "gateway"],
        kind: ["http", "access", "probe"],
        status: { min: 400 },
        path: APP_PATH,
      },
    ],
    confidence: "possible",
    why: "The port belongs to a program in the sandbox, and nothing says that the proxy failed before it.",
    yes: [
      access(502, "/v1/sandboxes/a/proxy/8080/items", { port: 8080 }),
      answered(404, "page not found", { port: 8080 }),
    ],
    no: [access(502, "/v1/sandboxes/a/proxy/44772/command", { port: 44_772 }), answered(502, "")],
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
