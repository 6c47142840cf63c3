/** The harness itself: its workers, its code, its verifier, and what it could not clean up. */
import type { Rule } from "../rule";
import { access, agentSaid, CLIENT, event, harness, raised, record, server } from "./examples";

const WORKER_TYPE =
  /^(RayActorError|ActorDiedError|ActorUnavailableError|WorkerCrashedError|NodeDiedError|OwnerDiedError|OutOfMemoryError|BrokenProcessPool)$/;
const DELETE = /^(kill|close|delete|stop|destroy)\b/i;

export const CLEANUP: readonly Rule[] = [
  {
    id: "cleanup.leak_suspected",
    class: "cleanup.leak_suspected",
    when: [
      {
        layer: ["harness", "server", "record", "canary"],
        message:
          /Failed to clean ?up (?:OpenSandbox )?sandbox|collecting orphan pods|queuing orphan pods for release|zombie sandbox/i,
      },
      { layer: "canary", code: "LEAK" },
    ],
    confidence: "likely",
    why: "What a failed create left could not be removed.",
    yes: [
      server("Failed to cleanup sandbox 0a94c6b2: boom"),
      harness("Failed to clean up OpenSandbox sandbox after create probe failure; sandbox_id=a; error=b"),
    ],
    no: [harness("[CLEANUP] best-effort sandbox teardown failed: boom")],
  },
  {
    id: "cleanup.failed",
    class: "cleanup.failed",
    when: [
      {
        layer: ["harness", "server", "record"],
        message:
          /\[CLEANUP\] best-effort sandbox teardown failed|\bsandbox cleanup failed:|Failed to (?:kill|stop|remove|delete) (?:container|sandbox|pod)|Failed to stop and close OpenSandbox sandbox|closing local OpenSandbox SDK handle|Failed to close (?:ended )?PTY session|Error deleting sandbox|Failed to recycle pod|action=delete\b.{0,200}error=/,
      },
      { layer: CLIENT, kind: ["error", "probe", "http"], operation: DELETE },
      { layer: [...CLIENT, "server"], kind: ["error", "probe", "http"], phase: "teardown" },
      { layer: "server", kind: "access", method: "DELETE", status: { min: 500 }, path: /sandboxes\/[^/?]+\/?(?:\?|$)/ },
      { layer: "kubernetes", kind: "event", reason: /^(FailedDelete|FailedRelease|FailedRecyclePod|FailedKillPod)$/ },
    ],
    unless: [
      { kind: ["probe", "http"], status: { max: 399 } },
      { kind: "probe", finishedStatus: "ok" },
    ],
    confidence: "certain",
    why: "Deleting failed after the work was done; a retry of it keeps its own cause.",
    yes: [
      harness("[CLEANUP] best-effort sandbox teardown failed: boom", { phase: "teardown" }),
      harness("Failed to kill container beta-2002: Command '['docker', 'kill']' timed out after 10 seconds"),
      access(500, "/v1/sandboxes/a", { method: "DELETE" }),
      event("FailedDelete", "boom"),
    ],
    no: [
      harness("Server disconnected", { kind: "retry", phase: "teardown", operation: "kill" }),
      harness("Sandbox a not found", { phase: "teardown", operation: "kill" }),
      access(500, "/v1/sandboxes/a"),
    ],
  },
];

export const HARNESS: readonly Rule[] = [
  {
    id: "harness.worker_died",
    class: "harness.worker_died",
    when: [
      { layer: ["harness", "record"], errorChain: WORKER_TYPE },
      { layer: ["harness", "record"], errorType: WORKER_TYPE },
      {
        layer: ["harness", "record"],
        producerClass: /^(kill_shaped|killed|RayActorError|WorkerCrashedError|NodeDiedError)$/,
      },
      {
        layer: ["harness", "record"],
        message:
          /(?<ray>raylet died|RayActorError|NodeDiedError|WorkerCrashedError|The actor died unexpectedly|Worker unexpectedly exits|A process in the process pool was terminated abruptly|A worker died or was killed while executing a task|pinchbench-kill_shaped)|(?<memory>Task was killed due to the node running low on memory|killed due to memory pressure \(OOM\)|ray\.exceptions\.OutOfMemoryError)|(?<sigterm>received SIGTERM)|(?<walltime>DUE TO TIME LIMIT)|(?<preempted>DUE TO PREEMPTION)/,
      },
    ],
    confidence: "certain",
    why: "The process that drove the rollout was ended.",
    yes: [
      raised("RayActorError", "The actor died unexpectedly before finishing this task."),
      record("", { producerClass: "kill_shaped" }),
    ],
    no: [agentSaid("raylet died"), raised("KeyError", "'x'")],
  },
  {
    id: "verify.infra",
    class: "verify.infra",
    when: [
      {
        layer: ["record", "harness"],
        errorType:
          /^(AddTestsDirError|VerificationNotCompletedError|TrialNotScoredError|RewardFileNotFoundError|RewardFileEmptyError|VerifierOutputParseError)$/,
      },
      {
        layer: ["record", "harness"],
        producerClass:
          /^(AddTestsDirError|VerificationNotCompletedError|TrialNotScoredError|RewardFileNotFoundError|RewardFileEmptyError|VerifierOutputParseError|evaluator_error|error_evaluation)$/,
      },
      {
        layer: ["record", "harness"],
        message:
          /AddTestsDirError|VerificationNotCompleted|Failed to add tests directory|no report\.json|verification (?:was )?not completed/i,
      },
    ],
    confidence: "likely",
    why: "The verifier's own steps failed before it could judge.",
    yes: [
      record("Failed to add tests directory to environment", { errorType: "AddTestsDirError" }),
      record("", { producerClass: "evaluator_error" }),
    ],
    no: [record("", { errorType: "VerifierTimeoutError" }), agentSaid("AddTestsDirError")],
  },
  {
    id: "verify.told_by_another",
    class: "verify.infra",
    when: [
      {
        layer: "record",
        phase: "verify",
        producerClass:
          /^(out_of_memory|container_unavailable|network_unreachable|browser_launch_failed|display_unavailable|infra_failure|api_error)$/,
      },
    ],
    confidence: "possible",
    why: "A producer's own judge, who looked at the log of the grading, blames its environment.",
    yes: [
      record("SWE-bench judged: container_unavailable", { phase: "verify", producerClass: "container_unavailable" }),
    ],
    no: [record("", { producerClass: "api_error" }), record("", { phase: "verify", producerClass: "missing_module" })],
  },
  {
    id: "harness.bug",
    class: "harness.bug",
    when: [
      {
        layer: ["harness", "record"],
        kind: ["error", "retry", "finished"],
        errorType:
          /^(KeyError|TypeError|AttributeError|NameError|UnboundLocalError|IndexError|ImportError|ModuleNotFoundError|NotImplementedError|SyntaxError|IndentationError|RecursionError)$/,
      },
    ],
    // Node.js raises TypeError around every failed fetch.
    unless: [{ message: /fetch failed|terminated|UND_ERR_/ }],
    confidence: "likely",
    why: "An error of the harness's own code.",
    yes: [raised("KeyError", "'astropy__astropy-1'"), record("", { errorType: "TypeError" })],
    no: [raised("TypeError", "TypeError: fetch failed"), raised("RuntimeError", "boom"), agentSaid("KeyError: 'x'")],
  },
];
