/** What the agent's own commands did. Their text can say anything: from here only `agent.*` comes out of it. */
import type { Condition, Rule } from "../rule";
import { agentSaid, execEvent, execLog, exited, harness } from "./examples";

const KILLED = /^(?:SIG)?KILL(?:ED)?$|^9$/i;

/** Ends of commands, as execd and the harness report them. */
export const COMMANDS: readonly Rule[] = [
  {
    id: "agent.command_timeout_typed",
    class: "agent.command_timeout",
    when: [
      { layer: "harness", kind: "exit", producerClass: ["timeout", "command_timeout", "TimeoutExpired"] },
      { layer: "harness", kind: "exit", exitCode: [-1, 137, 124], elapsedShare: { min: 0.98 } },
      {
        layer: "execd",
        kind: ["exec_log", "exec_event", "error"],
        message: /^timeout after \S+ while running command/,
      },
      { layer: "harness", message: /^docker command timed out after/ },
      { layer: ["record", "harness"], errorType: "TimeoutExpired", message: /^Command .{0,300}timed out after/ },
    ],
    unless: [
      { kind: "exit", memoryOomKills: { min: 1 } },
      { phase: "teardown" },
      { operation: /^(kill|close|delete|stop)\b/i },
    ],
    confidence: "likely",
    why: "The command used up the limit that the harness gave it; -1 and 137 are how its kill looks.",
    yes: [
      exited(137, { producerClass: "timeout", durationMs: 600_021, timeoutMs: 600_000, message: "Killed\n" }),
      exited(-1, { durationMs: 5_000, timeoutMs: 5_000 }),
      execLog('timeout after 45s while running command: "make check"'),
    ],
    no: [exited(137, { durationMs: 12, timeoutMs: 600_000 }), exited(-1), exited(-1, { timeoutMs: 5_000 })],
  },
  {
    id: "agent.command_killed",
    class: "agent.command_killed",
    when: [
      { layer: "harness", kind: "exit", exitCode: [137, -1, -9] },
      { layer: "harness", kind: "exit", signal: KILLED },
      { layer: "execd", kind: ["exec_event", "exec_log", "error"], message: /^CommandExecError: (?:137|-1)\b/ },
      {
        layer: "execd",
        kind: ["exec_event", "exec_log", "error"],
        message: /^CommandExecError: (?:error running commands: )?(?:exit status 137|signal: killed)\b/,
      },
      { layer: "execd", kind: "exec_event", message: /^ContextCancelled: / },
      { layer: "execd", kind: "exec_event", exitCode: [137, -1] },
    ],
    unless: [
      { kind: "exit", memoryOomKills: { min: 1 } },
      { kind: "exit", producerClass: "sandbox" },
    ],
    confidence: "possible",
    why: "A command killed while its container lives: `timeout -s KILL`, `kill -9`, an interrupt. Not infra without more.",
    yes: [
      exited(137, { durationMs: 12 }),
      exited(-1),
      execEvent("CommandExecError: 137", { exitCode: 137 }),
      execLog("CommandExecError: error running commands: signal: killed"),
    ],
    no: [exited(1), exited(137, { memoryOomKills: 1, memoryOomEvents: 1 }), execEvent("CommandExecError: 1")],
  },
  {
    id: "agent.command_failed_execd",
    class: "agent.command_failed",
    when: [
      { layer: "execd", kind: ["exec_event", "exec_log", "error"], message: /^CommandExecError: \d+\b/ },
      {
        layer: "execd",
        kind: ["exec_event", "exec_log", "error"],
        message: /^CommandExecError: (?:error running commands: )?(?:exit status \d+|signal: \w)/,
      },
      { layer: "execd", kind: "exec_event", exitCode: { min: 1 } },
      // Any other exception name is that of the code which ran in the sandbox's interpreter.
      { layer: "execd", kind: "exec_event", message: /^(?!CommandExecError\b)[A-Za-z_][\w.]*: / },
    ],
    confidence: "certain",
    why: "A command that ends with its own exit code says nothing about the sandbox.",
    yes: [
      execEvent("CommandExecError: 1", { exitCode: 1 }),
      execEvent("OSError: [Errno 28] No space left on device"),
      execLog('CommandExecError: exit status 2 (command: "grep -r ECONNRESET .")'),
    ],
    no: [execEvent("CommandExecError: error starting commands: fork/exec /bin/bash: no such file or directory")],
  },
];

const printed = (message: RegExp): Condition[] => [
  { layer: "agent", message },
  { layer: "harness", kind: "exit", message },
];

/** What a command printed; judged after its typed end. */
export const AGENT_TEXT: readonly Rule[] = [
  {
    id: "agent.memory_text",
    class: "agent.memory",
    when: printed(
      /(?:^|\n|: )MemoryError\b|Cannot allocate memory|JavaScript heap out of memory|std::bad_alloc|java\.lang\.OutOfMemoryError|CUDA out of memory/,
    ),
    confidence: "possible",
    why: "The program ran out of the memory it asked for; without a kernel or pod sign that is its own affair.",
    yes: [agentSaid("std::bad_alloc"), exited(1, { message: "numpy: MemoryError: Unable to allocate 9 GiB" })],
    no: [agentSaid("the room was a doom of memory"), harness("MemoryError")],
  },
  {
    id: "agent.network_text",
    class: "agent.network",
    when: printed(
      /Could not resolve host|Temporary failure in name resolution|Name or service not known|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|SSL certificate problem|CERTIFICATE_VERIFY_FAILED|(?:requests|urllib3|aiohttp|httpx)\.(?:\w+\.)?\w*(?:Error|Exception)|npm ERR! network|Failed to connect to \S+ port|Max retries exceeded with url|fatal: unable to access/,
    ),
    confidence: "possible",
    why: "The agent's own download or request failed, which isolated sandboxes do on purpose.",
    yes: [
      agentSaid("requests.exceptions.SSLError: [SSL: CERTIFICATE_VERIFY_FAILED] host=packages.example.org"),
      exited(6, { message: "curl: (6) Could not resolve host: pypi.org" }),
    ],
    no: [agentSaid("502 Bad Gateway"), harness("Temporary failure in name resolution")],
  },
  {
    id: "agent.command_failed",
    class: "agent.command_failed",
    when: [
      { layer: "harness", kind: "exit", exitCode: { min: 1 } },
      { layer: "harness", kind: "exit", exitCode: { max: -2 } },
    ],
    confidence: "certain",
    why: "A command's own exit code; also 125 from docker inside the sandbox when no typed error stands beside it.",
    yes: [exited(1), exited(125, { message: "docker: Error response from daemon" })],
    no: [exited(0), exited(125, { producerClass: "sandbox" })],
  },
];
