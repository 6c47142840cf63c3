/** The sandbox API and the cluster behind it: limits, credentials, sandboxes that are no more, other errors. */
import type { Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, exited, gatewayAccess, harness, record, server } from "./examples";

const GONE =
  /SANDBOX_NOT_FOUND|\bsandbox(?: with container ID)? [`'"]?[\w.-]{1,80}[`'"]? (?:was )?not found|\bSandbox not found|no IP address found\. Is the Sandbox started|container [\w.-]{1,100} is not running|No such exec instance|no instance found|Runtime is no longer alive|Environment died unexpectedly|sandbox (?:has )?(?:already )?(?:been )?(?:terminated|expired)|ECS task stopped|Sandbox .{0,100}was already deleted/i;
const NO_CONTAINER = /Error(?: response from daemon)?: No such container: [\w.-]{1,128}/;
const GONE_TYPE =
  /^(SandboxEndedError|SandboxNotFoundException|SandboxNotFoundError|SandboxTerminatedError|Daytona(?:NotFound|SandboxStop)Error|SandboxExpiredError)$/;
const SANDBOX_API =
  /(?:Sandbox\w{0,40}(?:Exception|Error)|Daytona\w{0,30}Error|RateLimitException|OpenSandbox|sandbox api)/i;

/** The runtime's word about the sandbox inside a step's output. */
export const GONE_STEP: readonly Rule[] = [
  {
    id: "control.sandbox_gone_step",
    class: "control.sandbox_gone",
    when: [
      {
        layer: "harness",
        kind: ["exit", "line", "error"],
        message:
          /^(?:\S+ ){0,4}?(?:output=|stderr=)?['"]?(?:docker: )?Error(?: response from daemon)?: No such container: [0-9a-f]{12,64}\b/,
      },
    ],
    confidence: "likely",
    why: "The container runtime's word about the harness's own sandbox, wherever the harness put it: also a step's output.",
    yes: [
      exited(1, { message: "Error response from daemon: No such container: 13e5a75215f5bd0a966ac856d6330d1b" }),
      harness(
        "step=180 returncode=1 output='Error response from daemon: No such container: 13e5a75215f5bd0a966ac856d6330d1b'",
        { kind: "line", level: "info" },
      ),
    ],
    no: [
      exited(1, { message: "docker: Error response from daemon" }),
      agentSaid("Error response from daemon: No such container: 13e5a75215f5"),
    ],
  },
];

export const CONTROL: readonly Rule[] = [
  {
    id: "control.sandbox_state",
    class: "control.sandbox_gone",
    when: [
      {
        layer: CLIENT,
        kind: "http",
        finishedStatus: /^(stopping|stopped|archived|destroyed|deleted|terminated|expired)$/i,
        status: { min: 400 },
      },
    ],
    confidence: "likely",
    why: "The platform says beside the answer that the sandbox was stopped.",
    yes: [answered(502, "", { finishedStatus: "stopping" })],
    no: [answered(502, "", { finishedStatus: "started" })],
  },
  {
    id: "control.sandbox_gone_closed",
    class: "control.sandbox_gone",
    when: [{ layer: "harness", kind: ["line", "error"], message: /was already deleted during close/ }],
    subCause: "before_close",
    confidence: "likely",
    why: "When the harness came to close it, the sandbox had ended by its own time limit or by another hand.",
    yes: [harness("OpenSandbox sandbox 'a' was already deleted during close", { kind: "line", level: "info" })],
    no: [harness("closing local OpenSandbox SDK handle for sandbox 'a'", { kind: "line", level: "info" })],
  },
  {
    id: "control.sandbox_gone",
    class: "control.sandbox_gone",
    when: [
      { layer: [...CLIENT, "server", "gateway"], message: GONE },
      { layer: [...CLIENT, "server"], message: NO_CONTAINER },
      { layer: CLIENT, errorChain: GONE_TYPE },
      { layer: CLIENT, errorType: GONE_TYPE },
      { layer: CLIENT, producerClass: GONE_TYPE },
      { code: /SANDBOX_NOT_FOUND/ },
      { layer: "kubernetes", reason: "DeadlineExceeded" },
    ],
    confidence: "certain",
    why: "The API or runtime says that this sandbox no longer exists or runs.",
    yes: [
      answered(404, "Sandbox not found", { code: "KUBERNETES::SANDBOX_NOT_FOUND" }),
      answered(400, "bad request: no IP address found. Is the Sandbox started?"),
      record("Modal Sandbox with container ID ta-d12a341e not found", { errorType: "NotFoundError" }),
    ],
    no: [
      record("file settings.py not found"),
      agentSaid("sandbox abc not found"),
      answered(404, "page not found", { port: 8080 }),
    ],
  },
  {
    id: "control.sandbox_gone_404",
    class: "control.sandbox_gone",
    when: [
      {
        layer: "server",
        kind: "access",
        status: 404,
        path: /^\/?(?:v1\/)?sandboxes\/[^/?]+(?:\/endpoints\/|\/proxy\/44772\/command\b(?!\/)|\/?(?:\?|$))/,
      },
      {
        layer: CLIENT,
        kind: ["http", "probe"],
        status: 404,
        path: /^\/?(?:v1\/)?sandboxes\/[^/?]+(?:\/endpoints\/|\/?(?:\?|$))/,
      },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: /(?:get_info|get_endpoint|command run|Failed to run command).{0,60}(?:HTTP|Status code:?) 404/,
      },
    ],
    unless: [{ method: "DELETE" }],
    confidence: "possible",
    why: "The API answered 404 for the sandbox itself, not for a file or command in it.",
    yes: [access(404, "/v1/sandboxes/a", { method: "GET" })],
    no: [access(404, "/v1/sandboxes/a/proxy/44772/command/status/9", { method: "GET" }), access(404, "/favicon.ico")],
  },
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
      { layer: "harness", kind: ["error", "retry", "line"], message: /\bthrottled \(attempt \d+\)/ },
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
      { layer: "server", message: /[Ii]nvalid API key|[Mm]issing API key/ },
    ],
    unless: [
      { port: { min: 1, max: 44_771 }, kind: ["http", "access"] },
      { port: { min: 44_773 }, kind: ["http", "access"] },
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
    unless: [
      { port: { min: 1, max: 44_771 }, kind: "http" },
      { port: { min: 44_773 }, kind: "http" },
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
          /KUBERNETES::(?:API_ERROR|INITIALIZATION_ERROR|INVALID_STATE)|etcdserver: |the object has been modified|Internal exception when creating sandbox|returned no sandbox handle|cannot connect to the docker daemon|API error: HTTP 5|Error (?:creating|getting|checking|updating) (?:sandbox|endpoint)|Failed to create pool pod|allocator state recovery failed|\| error=|Exceeded concurrency limit|INTERNAL_UNKNOWN_ERROR/i,
      },
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
      server("Error creating sandbox: (403)"),
    ],
    no: [agentSaid("etcdserver: request timed out"), record("boom")],
  },
];
