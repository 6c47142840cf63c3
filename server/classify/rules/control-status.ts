/** Bare statuses of the lifecycle API, when neither body nor text says more. */
import type { Rule } from "../rule";
import { access, answered, CLIENT, harness, record, server } from "./examples";
import { CONNECT_TIMEOUT, REFUSED, REQUEST_TIMEOUT, RESET } from "./transport-tokens";

export const CONTROL_STATUS: readonly Rule[] = [
  {
    id: "control.api_error_status",
    class: "control.api_error",
    when: [
      { layer: "server", kind: "access", status: { min: 500 } },
      {
        layer: CLIENT,
        kind: ["http", "probe"],
        status: [500, 501],
        path: /^\/?(?:v1\/)?sandboxes(?:\/[^/?]+)?\/?(?:\?|$)/,
      },
      { layer: CLIENT, kind: ["http", "probe"], status: [409, 500, 501] },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: /(?:failed: |API error: )HTTP 5(?!0[234])\d\d\b|Failed to run command\. Status(?: code)?: 500\b/,
      },
    ],
    unless: [{ path: /\/proxy\/\d+(?:\/|\?|$)/ }, { kind: "http", port: { min: 1 } }],
    confidence: "possible",
    why: "The API answered 5xx for itself, not on a proxied path.",
    yes: [access(500, "/v1/sandboxes"), answered(500, "Internal Server Error"), harness("kill failed: HTTP 500")],
    no: [access(500, "/v1/sandboxes/a/proxy/44772/command"), access(200, "/v1/sandboxes"), record("chapter 500")],
  },
  {
    id: "control.server_exception",
    class: "control.api_error",
    when: [
      { layer: "server", kind: ["error", "line"], message: /^Exception in ASGI application|^Reconciler error/ },
      { layer: "server", kind: ["error", "retry"], message: REFUSED },
      { layer: "server", kind: ["error", "retry"], message: RESET },
      { layer: "server", kind: ["error", "retry"], message: CONNECT_TIMEOUT },
      { layer: "server", kind: ["error", "retry"], message: REQUEST_TIMEOUT },
      { layer: "server", kind: "error", phase: "create" },
    ],
    subCause: "server_exception",
    confidence: "possible",
    why: "The server's own code failed on a request, or it could not reach the cluster behind it.",
    yes: [
      server("Exception in ASGI application\nRuntimeError: invented"),
      server("Max retries exceeded (Caused by NewConnectionError: [Errno 111] Connection refused)"),
    ],
    no: [server("Application startup complete.", { kind: "line", level: "info" })],
  },
];
