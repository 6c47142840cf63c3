/**
 * Lines of sandbox providers, their SDKs and the Gym harness around them, old wording and new, as data.
 * A row says what a line is; the words in it are judged by the rules.
 */
import type { Evidence, Phase } from "@/server/domain/evidence";
import { exceptionRepr } from "./exceptions";

interface ProviderLine {
  /** Named groups: `op`, `n`, `max`, `s` (seconds of a timeout), `rc` (a program's exit code), `status`, `count`, `type`. */
  pattern: RegExp;
  kind: Evidence["kind"];
  phase?: Phase;
  operation?: string;
  sampled?: boolean;
}

const LINES: readonly ProviderLine[] = [
  {
    pattern: /Backend-connect (?<status>502) on (?<op>.+?); retrying submission (?<n>\d+)\/(?<max>\d+)/,
    kind: "retry",
  },
  {
    pattern: /Retrying (?:OpenSandbox|Daytona) sandbox create after attempt (?<n>\d+)/,
    kind: "retry",
    phase: "create",
    operation: "create",
  },
  {
    pattern: /Retrying (?:OpenSandbox SDK|Daytona) operation after attempt (?<n>\d+)(?:.*?\boperation=(?<op>[^;]+))?/,
    kind: "retry",
  },
  { pattern: /Sandbox backend unreachable through (?<n>\d+) submissions of '(?<op>[^']+)'/, kind: "error" },
  { pattern: /Sandbox was OOM-killed/, kind: "error" },
  {
    pattern:
      /Timed out (?:creating OpenSandbox sandbox(?: after (?<s>[\d.]+)s)?|connecting to OpenSandbox sandbox after SDK create)/,
    kind: "error",
    phase: "create",
    operation: "create",
  },
  {
    pattern: /create probe command (?:before the startup deadline|returned an unexpected)/,
    kind: "error",
    phase: "create",
    operation: "create",
  },
  {
    pattern: /Sandbox health check timed out after (?<s>[\d.]+)s/,
    kind: "error",
    phase: "create",
    operation: "create",
  },
  {
    pattern: /Internal exception when creating sandbox:|returned no sandbox handle/,
    kind: "error",
    phase: "create",
    operation: "create",
  },
  { pattern: /Timed out during OpenSandbox (?<op>.+?) after (?<s>[\d.]+)s/, kind: "error" },
  { pattern: /exec exceeded hard cap of (?<s>[\d.]+)s/, kind: "error", phase: "exec", operation: "command run" },
  {
    pattern: /Timed out polling OpenSandbox background command/,
    kind: "error",
    phase: "exec",
    operation: "command status",
  },
  { pattern: /Sandbox\.(?<op>\w+)\(\) timed out waiting for the sync loop after (?<s>[\d.]+)s/, kind: "error" },
  {
    pattern: /Failed to run command\. Status(?: code)?: (?<status>\d{3})/,
    kind: "error",
    phase: "exec",
    operation: "command run",
  },
  {
    pattern: /run_in_session failed\. Status code: (?<status>\d{3})/,
    kind: "error",
    phase: "exec",
    operation: "command run",
  },
  {
    pattern: /Failed to clean ?up (?:OpenSandbox )?sandbox|Attempting to terminate zombie sandbox/,
    kind: "error",
    phase: "teardown",
  },
  { pattern: /closing local OpenSandbox SDK handle|was already deleted during close/, kind: "line", phase: "teardown" },
  {
    pattern:
      /\[CLEANUP\] best-effort sandbox teardown failed|\bsandbox cleanup failed:|Failed to stop and close OpenSandbox sandbox/,
    kind: "error",
    phase: "teardown",
  },
  { pattern: /PTY socket lost; re-attached session/, kind: "retry", phase: "exec", operation: "pty" },
  { pattern: /Failed to close (?:ended )?PTY session/, kind: "line", phase: "teardown" },
  { pattern: /transport_backend=aiohttp requested but httpx-aiohttp/, kind: "line" },
  {
    pattern: /\[request_retry url=(?<op>\S+) error=(?<type>\w+) [^\]]*\] Hit (?<count>\d+) global/,
    kind: "counter",
    sampled: true,
  },
  {
    pattern: /Hit an exception while making a request \(try (?<n>\d+)\): <class '(?:[\w.]+\.)?(?<type>\w+)'>/,
    kind: "retry",
    operation: "request",
  },
  { pattern: /\[MemoryWatchdog:[^\]]*\] OOM: tree RSS/, kind: "error", phase: "exec" },
  {
    pattern: /run_task capacity issue \((?<n>\d+)\/(?<max>\d+)\)/,
    kind: "retry",
    phase: "create",
    operation: "create",
  },
  {
    pattern: /SSH tunnel attempt (?<n>\d+)\/(?<max>\d+) failed/,
    kind: "retry",
    phase: "setup",
    operation: "ssh tunnel",
  },
  { pattern: /\bthrottled \(attempt (?<n>\d+)\)/, kind: "retry" },
  { pattern: /^\[[^\]]+\] agent exit (?<rc>-?\d+): /, kind: "exit", phase: "exec" },
  { pattern: /^\[[^\]]+\] eval exit (?<rc>-?\d+): /, kind: "exit", phase: "verify" },
  { pattern: /^openclaw exited (?<rc>-?\d+): /, kind: "exit", phase: "exec" },
  {
    pattern: /openclaw received SIGTERM|\[pinchbench-kill_shaped\] |killed due to memory pressure \(OOM\)/,
    kind: "error",
  },
  {
    pattern: /A worker died or was killed while executing a task|marked dead because the detector has missed/,
    kind: "error",
  },
  { pattern: /OSWorld rollout finished: .*\berror=(?!None\b)\S/, kind: "error" },
  { pattern: /ECS task stopped:|Error running (?:Harbor job|mini-swe-agent):|\bsandbox run failed:/, kind: "error" },
];

/** Gym's HTTP client raises after this try. */
const GYM_TRIES = 3;

/** What a provider's line says, or null when it is none. `message` is not set: the caller has it. */
export function providerEvidence(message: string): Omit<Evidence, "layer"> | null {
  for (const line of LINES) {
    const match = line.pattern.exec(message);
    if (match) return evidenceOf(line, match.groups ?? {}, message);
  }
  return null;
}

export function phaseOf(operation: string): Phase | undefined {
  if (/^(kill|close)\b/.test(operation)) return "teardown";
  if (/^(write_file|read_file|upload|download)/.test(operation)) return "files";
  if (/^(command|exec|get_pty|run|get_info after exec)/.test(operation)) return "exec";
  if (/^create\b/.test(operation)) return "create";
  return /^get_(info|endpoint)/.test(operation) ? "setup" : undefined;
}

function evidenceOf(line: ProviderLine, groups: Record<string, string | undefined>, message: string) {
  const evidence: Omit<Evidence, "layer"> = { kind: line.kind };
  const operation = line.operation ?? groups.op?.trim();
  if (operation) evidence.operation = operation;
  const phase = line.phase ?? (operation === undefined ? undefined : phaseOf(operation));
  if (phase) evidence.phase = phase;
  if (groups.status) evidence.status = Number(groups.status);
  if (groups.rc) evidence.exitCode = Number(groups.rc);
  if (groups.s) evidence.timeoutMs = Math.round(Number(groups.s) * 1000);
  if (groups.count) evidence.count = Number(groups.count);
  if (line.sampled) evidence.sampled = true;
  setTries(evidence, line, groups);
  const type = groups.type ?? exceptionRepr(message)?.type;
  if (type) evidence.errorType = type;
  return evidence;
}

function setTries(evidence: Omit<Evidence, "layer">, line: ProviderLine, groups: Record<string, string | undefined>) {
  if (!groups.n) return;
  evidence.attempt = Number(groups.n);
  if (groups.max) evidence.maxAttempts = Number(groups.max);
  // "through N submissions": all of them were spent.
  if (line.kind === "error") evidence.maxAttempts = evidence.attempt;
  if (line.operation === "request") {
    evidence.maxAttempts = GYM_TRIES;
    if (evidence.attempt >= GYM_TRIES) evidence.kind = "error";
  }
}
