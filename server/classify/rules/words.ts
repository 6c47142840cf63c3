/** Producers' own words for how an attempt ended that are not infrastructure: typed fields, judged before any text. */
import type { Evidence, Layer } from "@/server/domain/evidence";
import type { Condition, Rule } from "../rule";
import { agentSaid, exited, record } from "./examples";

const SAYS: readonly Layer[] = ["record", "harness"];

/** The word may stand in the producer's class, as the exception's class, or as the end of a finished attempt. */
function word(pattern: RegExp): Condition[] {
  return [
    { layer: SAYS, kind: ["error", "retry", "finished"], producerClass: pattern },
    { layer: SAYS, kind: ["error", "finished"], errorType: pattern },
    { layer: SAYS, kind: "finished", finishedStatus: pattern },
  ];
}

const said = (producerClass: string, more: Partial<Evidence> = {}): Evidence => record("", { producerClass, ...more });

export const WORDS: readonly Rule[] = [
  {
    id: "words.verify_timeout",
    class: "verify.timeout",
    when: [
      ...word(/^(eval_timeout|eval_timed_out|test_timeout|tests_timed_out|container_timed_out|VerifierTimeoutError)$/),
      { layer: SAYS, phase: "verify", errorType: /^(TimeoutError|TimeoutExpired)$/ },
    ],
    confidence: "certain",
    why: "The verifier used up its own time.",
    yes: [said("eval_timeout", { message: "TimeoutError()" }), record("", { errorType: "VerifierTimeoutError" })],
    no: [said("agent_timeout"), exited(1, { producerClass: "eval_timeout" })],
  },
  {
    id: "words.agent_timeout",
    class: "agent.timeout",
    when: [
      ...word(
        /^(agent_timeout|agent_timed_out|AgentTimeoutError|TimeExceeded|exit_total_execution_time|timeout_exceeded|total_timeout)$/,
      ),
      { layer: "record", producerClass: "timeout" },
      { layer: "harness", message: /timed out after [\d.]+ ?s(?:econds)?; salvaging partial session/ },
    ],
    confidence: "certain",
    why: "The agent used up the time it was given.",
    yes: [
      said("agent_timeout"),
      record("Agent execution timed out after 900 seconds", { errorType: "AgentTimeoutError" }),
    ],
    no: [record("", { errorType: "AgentSetupTimeoutError" })],
  },
  {
    id: "words.agent_limits",
    class: "agent.limits",
    when: word(
      /^(max_iterations?|max_steps|max_turns|LimitsExceeded|RepeatedFormatError|exit_(?:context|cost|format|forfeit)|(?:context|output)_length(?:_exceeded)?|(?:Context|Output)LengthExceededError|context_window|context_length_exceeded_error|ContextWindowExceededError|OverlongPromptError|fatal_llm_parse_error|budget_exceeded|(?:context|time|working|message|token|turn|cost|operator|custom)_limit|max_(?:input|output|total)_tokens|max_(?:(?:prompt|response)_length|turns)_exceeded)$/,
    ),
    confidence: "certain",
    why: "Steps, cost, context or format: the agent's budget, not the sandbox.",
    yes: [
      said("max_iteration"),
      said("working_limit"),
      record("", { kind: "finished", finishedStatus: "LimitsExceeded" }),
    ],
    no: [said("sandbox"), agentSaid("LimitsExceeded")],
  },
  {
    id: "words.agent_command",
    class: "agent.command_timeout",
    when: word(/^(exit_command_timeout|cmd_timeout|command_timeout|CommandTimeoutError)$/),
    confidence: "certain",
    why: "One of the agent's commands exceeded its own limit.",
    yes: [said("exit_command_timeout")],
    no: [said("exit_environment_error")],
  },
  {
    id: "words.agent_killed",
    class: "agent.command_killed",
    when: word(/^AgentKilledBySignalError$/),
    confidence: "likely",
    why: "The agent's process was ended by a signal; a pod's own end says so itself.",
    yes: [record("", { errorType: "AgentKilledBySignalError" })],
    no: [said("oom")],
  },
  {
    id: "words.agent_exit",
    class: "agent.command_failed",
    when: word(/^(NonZeroAgentExitCodeError|command_failed)$/),
    confidence: "certain",
    why: "The agent's program ended with its own error.",
    yes: [record("exit 3", { errorType: "NonZeroAgentExitCodeError" })],
    no: [record("exit 3", { errorType: "RuntimeError" })],
  },
  {
    id: "words.judge",
    class: "model.judge",
    when: [
      ...word(/^(judge_failed|JudgeError|JudgeTimeoutError)$/),
      { layer: SAYS, kind: ["error", "retry"], message: /\bJudgeError\b|\bjudge (?:model|call|request)\b/i },
    ],
    confidence: "certain",
    why: "The model that judges did not answer; its 429 is not the sandbox API's.",
    yes: [said("judge_failed", { message: "JudgeError('HTTP 429 from judge model')" })],
    no: [record("SandboxApiException: HTTP 429 Too Many Requests")],
  },
  {
    id: "words.task_failed",
    class: "task.failed",
    when: [
      { layer: "record", kind: "finished", finishedStatus: /^(failed|fail|wrong|unresolved|incorrect)$/i },
      { layer: SAYS, errorType: "SandboxViolation" },
      { layer: "record", producerClass: "SandboxViolation" },
    ],
    unless: [{ kind: "finished", errorType: /./ }],
    confidence: "certain",
    why: "An honest zero: the attempt was judged, and the word sandbox in the task's own error is the task's.",
    yes: [
      { layer: "record", kind: "finished", finishedStatus: "failed" },
      record("task code tried os.system inside RestrictedPython sandbox", { errorType: "SandboxViolation" }),
    ],
    no: [
      { layer: "harness", kind: "finished", finishedStatus: "error" },
      record("boom", { errorType: "RuntimeError" }),
    ],
  },
];
