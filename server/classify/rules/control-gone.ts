/** Sandboxes that are no more, by whichever mouth says so. */
import type { Rule } from "../rule";
import { access, agentSaid, answered, CLIENT, exited, harness, record } from "./examples";

const GONE =
  /SANDBOX_NOT_FOUND|\bsandbox(?: with (?:container )?ID(?: or name)?)? [`'"]?[\w.-]{1,80}[`'"]? (?:was )?not found|\bSandbox not found|no IP address found\. Is the Sandbox started|(?:sandbox|container|instance) ?[\w.-]{0,100} is not running|No such exec instance|no instance found|Runtime is no longer alive|Environment died unexpectedly|sandbox (?:has )?(?:already )?(?:been )?(?:terminated|expired)|ECS task stopped|Sandbox .{0,100}was already deleted|\bsandbox timed out\b|sandbox [\w.-]{1,80} exceeded its lifetime|\bpods \\?"[\w.-]{1,80}\\?" not found/i;
const NO_CONTAINER = /(?:Error(?: response from daemon)?: |\("|\(\\")No such container: [\w.-]{1,128}/;
const GONE_TYPE =
  /^(SandboxEndedError|SandboxNotFoundException|SandboxNotFoundError|SandboxTerminatedError|Daytona(?:NotFound|SandboxStop)Error|SandboxExpiredError)$/;
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

export const CONTROL_GONE: readonly Rule[] = [
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
      { code: /SANDBOX_NOT_FOUND|SANDBOX::ENDED/ },
      { layer: ["harness", "record"], kind: ["error", "retry"], message: /SANDBOX::ENDED/ },
      { layer: CLIENT, kind: ["http", "probe"], status: 410 },
      { layer: "kubernetes", reason: "DeadlineExceeded" },
    ],
    confidence: "certain",
    why: "The API or runtime says that this sandbox no longer exists or runs.",
    yes: [
      answered(404, "Sandbox not found", { code: "KUBERNETES::SANDBOX_NOT_FOUND" }),
      answered(410, "Sandbox a has ended", { code: "SANDBOX::ENDED" }),
      record("Sandbox timed out", { errorType: "SandboxTimeoutError" }),
      record("Sandbox with ID or name abc-123 not found", { errorType: "DaytonaNotFoundError" }),
      harness(
        '404 Client Error for http+docker://localhost/v1.45/containers/abc/json: Not Found ("No such container: abc")',
      ),
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
];
