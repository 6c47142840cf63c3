/** Commands that could not start, hung, or came back without an exit code. */
import type { Rule } from "../rule";
import { agentSaid, answered, CLIENT, execd, execEvent, execLog, exited, harness, record, runtime } from "./examples";

const WORDS_WITHOUT_CAUSE =
  /^(sandbox|sandbox_failed|sandbox_error|sandbox_unavailable|SandboxError|InterceptionError|exit_environment_error|error_runtime|submitted \(exit_environment_error\))$/;

/** The provider's typed word beside a command's end. */
export const EXEC_TYPED: readonly Rule[] = [
  {
    id: "exec.no_exit_code",
    class: "exec.sandbox_error",
    when: [
      {
        layer: ["harness", "record"],
        kind: ["exit", "error", "finished"],
        exitCode: { min: -999 },
        producerClass: "sandbox",
      },
    ],
    unless: [{ exitCode: 0 }],
    confidence: "certain",
    why: "The provider's sentinel code with its typed error: the sandbox gave none.",
    yes: [
      exited(125, { producerClass: "sandbox" }),
      harness("CommandExecError: -1", { exitCode: 125, producerClass: "sandbox" }),
    ],
    no: [exited(125), exited(125, { producerClass: "timeout" })],
  },
];

export const EXEC: readonly Rule[] = [
  {
    id: "exec.wedged",
    class: "exec.wedged",
    when: [
      {
        layer: CLIENT,
        message:
          /exceeded hard cap of|timed out waiting for the sync loop|Timed out polling OpenSandbox background command/,
      },
    ],
    confidence: "certain",
    why: "The call outlived every limit of the command itself.",
    yes: [harness("OpenSandbox exec exceeded hard cap of 1230s; the command wedged")],
    no: [harness("Timed out during OpenSandbox get_info after 30s"), agentSaid("exceeded hard cap of 10s")],
  },
  {
    id: "exec.spawn_failed",
    class: "exec.spawn_failed",
    when: [
      {
        layer: "execd",
        kind: ["exec_event", "exec_log", "error", "line"],
        message:
          /error starting commands|^CommandExecError: (?:fork\/exec|exec: |.{0,300}cannot allocate memory)|^start bash session failed|failed to create (?:session|context), retrying/,
      },
      {
        layer: ["harness", "record", "runtime", "server"],
        kind: ["error", "retry", "line", "http"],
        message:
          /error starting commands|OCI runtime exec failed|ExecSync for .{1,200} failed|failed to start exec\b|error executing setns/,
      },
      { layer: CLIENT, kind: ["http", "probe"], code: "RUNTIME_ERROR" },
    ],
    confidence: "certain",
    why: "The daemon or runtime says that the command never began.",
    yes: [
      execLog("CommandExecError: error starting commands: fork/exec /bin/zsh: no such file or directory"),
      execEvent("CommandExecError: fork/exec /bin/zsh: permission denied"),
      runtime(
        'ExecSync for "8a09" failed error="failed to exec in container: OCI runtime exec failed: error executing setns process"',
      ),
      answered(500, "error running command", { code: "RUNTIME_ERROR", port: 44_772 }),
    ],
    no: [
      execLog("CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable"),
      execLog("CommandExecError: error running commands: exit status 1"),
    ],
  },
  {
    id: "exec.sandbox_error",
    class: "exec.sandbox_error",
    when: [
      {
        layer: CLIENT,
        message:
          /command execution failed before a process exit code was returned|background command did not return an execution id|status has no '\w+' field/,
      },
      {
        layer: "execd",
        message: /^(?:command wait failed|read std(?:out|err) failed|interrupt kernel failed|Observed a panic)/,
      },
      { layer: "execd", kind: "exec_event", message: /^CommandExecError: \D/ },
      { layer: CLIENT, errorType: /^SandboxPtyError$/ },
    ],
    confidence: "likely",
    why: "The daemon or provider lost the command's end.",
    yes: [
      harness("Daytona command execution failed before a process exit code was returned: boom"),
      execd("command wait failed: waitid: no child processes"),
    ],
    no: [execEvent("CommandExecError: 1"), agentSaid("command wait failed")],
  },
];

/** A producer's bare word, when no text beside it was explained. */
export const EXEC_WORD: readonly Rule[] = [
  {
    id: "exec.word_only",
    class: "exec.sandbox_error",
    when: [
      { layer: ["record", "harness"], kind: ["error", "finished"], producerClass: WORDS_WITHOUT_CAUSE },
      {
        layer: ["record", "harness"],
        kind: ["error", "finished"],
        errorType:
          /^(SandboxError|SwerexException|InterceptionError|InfraError|BrowserSandboxError|SandboxInternalException)$/,
      },
      { layer: ["record", "harness"], kind: "finished", finishedStatus: WORDS_WITHOUT_CAUSE },
      { layer: "harness", kind: ["error", "retry"], message: /\bsandbox run failed: |\bclass=infra\b/ },
    ],
    subCause: "unspecified",
    confidence: "possible",
    why: "The producer's typed field blames the sandbox and says no more.",
    yes: [
      record("boom", { producerClass: "sandbox" }),
      record("", { kind: "finished", finishedStatus: "exit_environment_error" }),
      record("SandboxInternalException", { errorType: "SandboxInternalException" }),
    ],
    no: [
      record("RemoteProtocolError('Server disconnected without sending a response.')", { producerClass: "sandbox" }),
      record("the word sandbox in a sentence"),
    ],
  },
];
