/** Creating a sandbox: capacity, time limits, readiness. The typed word of the outer error decides, not what lies beneath. */
import type { Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, event, harness, raised, record, server } from "./examples";

/** What a 429 or 403 names when it is capacity rather than rate. */
const CAPACITY =
  /\bquota\b|concurren|\bcapacity\b|maximum number of|too many (?:running |active |concurrent )?sandboxes|sandbox(?:es)? limit|pool (?:is )?(?:at its maximum|full|exhausted)|Total (?:CPU|memory|disk) limit exceeded/i;
const UNSCHEDULABLE =
  /is unschedulable|POD_PLATFORM_UNSCHEDULABLE|\bFailedScheduling\b|\d+\/\d+ nodes are available|run_task capacity issue|No idle sandbox available|No available runners|exceeded quota|QUOTA_EXCEEDED|POOL_CAPACITY_EXHAUSTED|Insufficient (?:cpu|memory|pods)\b|Total (?:CPU|memory|disk) limit exceeded|max(?:imum)? (?:number of )?concurrent sandboxes|OutOf(?:cpu|memory|pods)\b|\b(?:sandbox|pod|namespace|resource)\w*.{0,100}\bquota\b/i;

const CREATE_TIMEOUT =
  /Timed out creating OpenSandbox sandbox|Timed out connecting to OpenSandbox sandbox after SDK create|POD_READY_TIMEOUT|Timeout waiting for sandbox .{1,200} to be Running|EnvironmentStartTimeoutError|Environment start timed out|INSTALLATION FAILED: (?:context deadline exceeded|timed out)|docker run timed out|sandbox creation timed out|Sandbox failed to start within|timed out waiting for (?:the )?sandbox to (?:start|be created)/i;
const CREATE_TIMEOUT_TYPE = /^(OpenSandboxCreateTimeoutError|EnvironmentStartTimeoutError|SandboxCreateTimeoutError)$/;

const READY =
  /Sandbox health check timed out|failed create probe command|create probe command returned an unexpected result|Runtime did not start within timeout|Runtime not yet ready|POD_IP_NOT_AVAILABLE|Pod IP is not yet available|Agent setup timed out|503 Server Error.{0,200}\/(?:is_)?(?:alive|ready|health|ping)\b|sandbox did not become (?:ready|healthy)|health check returned false|sandbox .{0,80}did not become running/i;
const READY_TYPE =
  /^(SandboxReadyTimeoutException|SandboxUnhealthyException|OpenSandboxCreateVerificationError|AgentSetupTimeoutError|AgentEnvironmentTimeoutError|SandboxNotReadyError)$/;

const CREATE_PATH = /^\/?(?:v1\/)?sandboxes\/?(?:\?|$)/;

export const CONTROL_CREATE: readonly Rule[] = [
  {
    id: "control.api_throttled",
    class: "control.api_throttled",
    when: [
      {
        layer: ["harness", "server", "runtime", "kubernetes", "record"],
        kind: ["line", "error", "retry", "event"],
        message:
          /due to client-side throttling|client rate limiter Wait returned an error|storage is \(re\)initializing|ApiException.{0,20}\(429\)|has prevented the request from succeeding.{0,80}429/i,
      },
      { layer: "server", errorType: "ApiException", status: 429 },
    ],
    confidence: "certain",
    why: "The Kubernetes API, or its client on the server's behalf, slowed the control plane down.",
    yes: [
      server("Waited for 4.391415667s due to client-side throttling, not priority and fairness", {
        kind: "line",
        level: "info",
      }),
      harness("Error: INSTALLATION FAILED: client rate limiter Wait returned an error: context deadline exceeded"),
    ],
    no: [harness("Error: INSTALLATION FAILED: context deadline exceeded"), agentSaid("due to client-side throttling")],
  },
  {
    id: "control.unschedulable_event",
    class: "control.unschedulable",
    when: [
      {
        layer: "kubernetes",
        reason:
          /^(FailedScheduling|NotTriggerScaleUp|OutOf(?:cpu|memory|pods)|UnexpectedAdmissionError|FailedPoolAssign|AllocationFailed|Unschedulable)$/,
      },
      { layer: "kubernetes", kind: "event", reason: "FailedCreate", message: /exceeded quota/ },
      { layer: "kubernetes", kind: "condition", reason: "PodScheduled", finishedStatus: "False" },
      { layer: "kubernetes", kind: "condition", reason: "PoolAllocationPending", finishedStatus: "True" },
    ],
    confidence: "certain",
    why: "The scheduler, a quota or the pool had no room for the pod.",
    yes: [event("FailedScheduling", "0/9 nodes are available: 9 Too many pods.")],
    no: [event("FailedCreate", "pods is forbidden"), event("Scheduled", "Successfully assigned")],
  },
  {
    id: "control.unschedulable",
    class: "control.unschedulable",
    when: [
      {
        layer: [...CLIENT, "server", "kubernetes", "runtime"],
        kind: ["error", "retry", "line", "http", "finished", "probe", "event"],
        message: UNSCHEDULABLE,
      },
      { layer: CLIENT, kind: ["http", "probe"], status: [403, 429], message: CAPACITY },
      { layer: CLIENT, kind: ["http", "probe"], code: /POOL_CAPACITY_EXHAUSTED|QUOTA_EXCEEDED|UNSCHEDULABLE/ },
      { layer: "server", kind: "error", code: /POOL_CAPACITY_EXHAUSTED|QUOTA_EXCEEDED|UNSCHEDULABLE/ },
      { layer: ["harness", "record"], errorType: "SandboxRateLimitException", message: CAPACITY },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: /\b429\b.{0,300}(?:\bquota\b|concurren|\bcapacity\b|too many (?:\w+ )?sandboxes)/i,
      },
    ],
    confidence: "certain",
    why: "A limit on how many or how much was met: capacity, whatever the status, 400 and 429 included.",
    yes: [
      answered(400, "Sandbox pod is unschedulable: 0/4 nodes are available"),
      answered(429, "concurrent sandbox quota of 50 reached"),
      server("Pool warm-a is busy", { code: "KUBERNETES::POOL_CAPACITY_EXHAUSTED", phase: "create", status: 429 }),
      raised("SandboxRateLimitException", "Create sandbox failed: Pool warm-a capacity exhausted"),
      harness("m1 Warning FailedScheduling 0/14 nodes are available: 14 Insufficient cpu.", {
        kind: "line",
        level: "warn",
      }),
    ],
    no: [
      answered(429, "Too Many Requests"),
      agentSaid("Insufficient memory"),
      harness("SandboxApiException: HTTP 429 Too Many Requests"),
    ],
  },
  {
    id: "control.create_timeout",
    class: "control.create_timeout",
    when: [
      { layer: [...CLIENT, "server"], message: CREATE_TIMEOUT },
      { layer: CLIENT, errorChain: CREATE_TIMEOUT_TYPE },
      { layer: CLIENT, errorType: CREATE_TIMEOUT_TYPE },
      { layer: CLIENT, producerClass: CREATE_TIMEOUT_TYPE },
      { code: /POD_READY_TIMEOUT/ },
      { layer: "server", kind: "access", method: "POST", path: CREATE_PATH, status: 504 },
      { layer: "gateway", kind: "access", method: "POST", path: CREATE_PATH, status: 504, code: "via_upstream" },
      { layer: "canary", kind: "probe", phase: "create", code: /^(TIMEOUT|CREATE_TIMEOUT|TimeoutError)$/ },
    ],
    confidence: "certain",
    why: "The create itself ran out of time; a 504 with POD_READY_TIMEOUT comes from the server, not from a gateway.",
    yes: [
      answered(504, "Timeout waiting for sandbox a to be Running with IP", { code: "KUBERNETES::POD_READY_TIMEOUT" }),
      record(
        "OpenSandboxCreateTimeoutError('Timed out connecting to OpenSandbox sandbox after SDK create; timeout_s=1200')",
      ),
      access(504, "/v1/sandboxes"),
      record("Environment start timed out after 600 seconds", { errorType: "EnvironmentStartTimeoutError" }),
    ],
    no: [answered(504, "504 Gateway Time-out"), access(504, "/v1/sandboxes/a/proxy/44772/command")],
  },
  {
    id: "control.ready_check_failed",
    class: "control.ready_check_failed",
    when: [
      { layer: [...CLIENT, "server"], message: READY },
      { layer: CLIENT, errorChain: READY_TYPE },
      { layer: CLIENT, errorType: READY_TYPE },
      { layer: CLIENT, producerClass: READY_TYPE },
      { layer: CLIENT, code: /POD_IP_NOT_AVAILABLE|READY_TIMEOUT|UNHEALTHY/ },
    ],
    confidence: "certain",
    why: "The sandbox was made, and its daemon never answered the check.",
    yes: [
      raised("SandboxReadyTimeoutException", "Sandbox health check timed out after 60.0s (261 attempts).", {
        kind: "retry",
        phase: "create",
      }),
      record("Agent setup timed out after 360 seconds", { errorType: "AgentSetupTimeoutError" }),
      harness("503 Server Error: Service Unavailable for url: http://10.0.0.9:8000/sandbox/abc/alive", {
        kind: "line",
        level: "warn",
      }),
    ],
    no: [record("", { errorType: "AgentTimeoutError" }), agentSaid("Sandbox health check timed out")],
  },
];
