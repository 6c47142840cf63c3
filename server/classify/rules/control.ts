/** The sandbox API and the cluster behind it: limits, credentials, mistakes of the client, other errors. */
import type { Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, gatewayAccess, harness, record, runtime, server } from "./examples";

const SANDBOX_API =
  /(?:Sandbox\w{0,40}(?:Exception|Error)|Daytona\w{0,30}Error|RateLimitException|OpenSandbox|sandbox api)/i;

export const CONTROL: readonly Rule[] = [
  {
    id: "control.rate_limited",
    class: "control.rate_limited",
    when: [
      { layer: CLIENT, kind: ["http", "probe"], status: 429 },
      { layer: ["server", "gateway"], kind: "access", status: 429 },
      {
        layer: CLIENT,
        errorType: /^(SandboxRateLimitException|DaytonaRateLimitError|RateLimitException|RateLimitError)$/,
      },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: new RegExp(`${SANDBOX_API.source}.{0,200}(?:\\b429\\b|Too Many Requests)`, "i"),
      },
      {
        layer: ["harness", "record"],
        operation: /create|sandbox/i,
        message: /HTTP 429|\b429 Too Many Requests|status.{0,8}429/i,
      },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: /(?:API error: HTTP|Failed to run command\. Status(?: code)?:) 429\b/,
      },
      { layer: "harness", kind: ["error", "retry", "line"], message: /\bthrottled \(attempt \d+\)/ },
      { layer: ["harness", "record"], kind: ["error", "retry"], message: /\bsandbox\b.{0,60}\brate limit/i },
      { layer: "gateway", message: /limiting (?:requests|connections)/ },
    ],
    confidence: "certain",
    why: "The sandbox API, or a gateway before it, asked the client to slow down.",
    yes: [
      answered(429, "Too Many Requests"),
      harness("create failed: SandboxApiException: HTTP 429 Too Many Requests"),
      gatewayAccess(429),
    ],
    no: [
      harness("model answered 429 tokens"),
      agentSaid("HTTP/1.1 429 Too Many Requests (api.github.com)"),
      harness("manifest bytes=429"),
    ],
  },
  {
    id: "control.auth",
    class: "control.auth",
    when: [
      { layer: CLIENT, kind: ["http", "probe"], status: [401, 403] },
      { layer: "server", kind: "access", status: [401, 403] },
      { layer: CLIENT, errorType: /^Daytona(?:Authentication|Authorization)Error$/ },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: new RegExp(`${SANDBOX_API.source}.{0,200}(?:\\b40[13]\\b|Unauthorized|Forbidden)`, "i"),
      },
      {
        layer: ["harness", "record"],
        operation: /sandbox|command run|get_/i,
        message: /HTTP 40[13]\b|Status code:? 40[13]\b/,
      },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: /(?:API error: HTTP|Failed to run command\. Status(?: code)?:) 40[13]\b/,
      },
      { layer: "server", message: /[Ii]nvalid API key|[Mm]issing API key/ },
    ],
    confidence: "certain",
    why: "The sandbox API refused the client's credentials.",
    yes: [
      answered(401, "unauthorized"),
      access(403, "/v1/sandboxes"),
      harness("SandboxApiException: HTTP 401 Unauthorized"),
    ],
    no: [answered(401, "login first", { port: 8080 }), harness("line 401 of main.py")],
  },
  {
    id: "control.client_mistake",
    class: "client.config",
    when: [
      { layer: CLIENT, kind: ["http", "probe"], status: [405, 413, 415, 422] },
      { layer: "server", kind: "access", status: [405, 413, 415, 422] },
      { code: /SANDBOX::INVALID_PARAMETER|^INVALID_(?:REQUEST_BODY|FILE)|^MISSING_QUERY|^NOT_SUPPORTED$/ },
      { layer: "execd", message: /not using the websocket protocol/ },
      { layer: "harness", message: /transport_backend=\w+ requested but|422 (?:Client Error|Unprocessable)/ },
      { layer: CLIENT, errorType: /^(DaytonaValidationError|InvalidArgumentException)$/ },
      { layer: "gateway", message: /client intended to send too large body/ },
    ],
    confidence: "certain",
    why: "The request itself was wrong.",
    yes: [
      answered(422, "[]"),
      access(422, "/start"),
      {
        layer: "execd",
        kind: "exec_log",
        level: "warn",
        message: "pty ws upgrade failed for session s1: websocket: the client is not using the websocket protocol",
      },
    ],
    no: [answered(422, "bad item", { port: 8080 }), access(200, "/start")],
  },
  {
    id: "control.api_error_text",
    class: "control.api_error",
    when: [
      {
        layer: [...CLIENT, "server"],
        message:
          /KUBERNETES::(?:API_ERROR|INITIALIZATION_ERROR|INVALID_STATE)|etcdserver: |the object has been modified|Internal exception when creating sandbox|returned no sandbox handle|cannot connect to the docker daemon|API error: HTTP 5(?!0[234])\d\d|Error (?:creating|getting|checking|updating) (?:sandbox|endpoint)|Failed to create pool pod|allocator state recovery failed|\| error=|Exceeded concurrency limit|INTERNAL_UNKNOWN_ERROR|\bHandshake status 5\d\d\b/i,
      },
      { layer: "runtime", kind: "error", message: /etcdserver: / },
      { code: /KUBERNETES::(?:API_ERROR|INITIALIZATION_ERROR|INVALID_STATE)|SANDBOX::(?:UNKNOWN|INTERNAL)_ERROR/ },
      {
        layer: CLIENT,
        errorType: /^(OpenSandboxCreateError|SandboxCreationError|SandboxSetupError|DaytonaConflictError)$/,
      },
      { layer: "kubernetes", kind: "event", reason: "FailedCreate" },
    ],
    unless: [{ operation: /^(kill|close|delete|stop)\b/i }],
    confidence: "likely",
    why: "The control plane says that it failed, for none of the reasons above.",
    yes: [
      server("etcdserver: request timed out"),
      answered(500, "boom", { code: "KUBERNETES::API_ERROR" }),
      runtime("error retrieving resource lock opensandbox-system/x: etcdserver: request timed out", { kind: "error" }),
      server("Error creating sandbox: (403)"),
    ],
    no: [agentSaid("etcdserver: request timed out"), record("boom")],
  },
];
