/** Small builders for observations and rollouts: what a test does not name is the plainest value. */
import { classify } from "@/server/classify/classify";
import type { CaseFile } from "@/server/derive/case-file";
import type { DeriveSettings } from "@/server/derive/incidents";
import type { Evidence } from "@/server/domain/evidence";
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { RolloutRecord } from "@/server/domain/rollout";

export const SANDBOX = "sandbox:default/s1";
export const T0 = Date.parse("2026-07-30T09:00:00Z");

let made = 0;

export function observed(evidence: Evidence, seconds: number | null = 0, more: Partial<Observation> = {}): Observation {
  made += 1;
  const judged = classify(evidence);
  return {
    key: `k${String(made).padStart(6, "0")}`,
    refs: [SANDBOX],
    at: seconds === null ? null : T0 + seconds * 1000,
    atAssumed: false,
    line: made,
    cluster: "default",
    run: "r",
    node: null,
    source: "test",
    origin: "fleet",
    text: evidence.message ?? "",
    label: null,
    evidence,
    class: judged.class,
    rule: judged.rule,
    subCause: judged.subCause,
    confidence: judged.confidence,
    rulesVersion: "test",
    ...more,
  };
}

export function rolloutRecord(more: Partial<RolloutRecord> = {}): RolloutRecord {
  return {
    id: "r1",
    group: "g1",
    content: "c1",
    cluster: "default",
    origin: "fleet",
    source: "test",
    run: "r",
    task: "t",
    index: 0,
    attempt: 0,
    agent: null,
    startedAt: T0 - 600_000,
    endedAt: T0 + 600_000,
    reward: 0,
    producerPassed: null,
    masked: null,
    scored: true,
    emptyOutput: null,
    hasPatch: null,
    sandboxes: ["s1"],
    node: null,
    error: null,
    config: {},
    ...more,
  };
}

export function caseFile(observations: Observation[], more: Partial<CaseFile> = {}): CaseFile {
  return { subject: SANDBOX, members: [SANDBOX], observations, links: [], facts: [], rollouts: [], ...more };
}

export function withRollouts(file: CaseFile, rollouts: RolloutRecord[]): CaseFile {
  const links: Link[] = rollouts.map((rollout) => ({
    from: `rollout:default/${rollout.id}`,
    to: file.subject,
    since: null,
    until: null,
    how: "record",
  }));
  return {
    ...file,
    rollouts,
    links: [...file.links, ...links],
    members: [...file.members, ...links.map((l) => l.from)],
  };
}

export function fact(name: string, value: Fact["value"], more: Partial<Fact> = {}): Fact {
  return { ref: SANDBOX, name, value, rank: 5, at: T0, ...more };
}

export const settings: DeriveSettings = { passRuleOf: () => ({ passAt: 1 }), configKeyOf: () => null };

/** Evidence that the field sends, as the formats read it. */
export const said = {
  stale: {
    layer: "harness",
    kind: "error",
    phase: "exec",
    errorType: "RemoteProtocolError",
    message: "Server disconnected without sending a response.",
  },
  retry502: (attempt: number): Evidence => ({
    layer: "harness",
    kind: "retry",
    phase: "exec",
    operation: "command run",
    attempt,
    maxAttempts: 6,
    message: `Backend-connect 502 on command run; retrying submission ${attempt}/6 in 0.2s`,
  }),
  dead: {
    layer: "harness",
    kind: "error",
    phase: "exec",
    operation: "command run",
    errorType: "SandboxBackendUnreachableError",
    message:
      "Sandbox backend unreachable through 6 submissions of 'command run' (proxy 502: no TCP connection to execd)",
  },
  execOk: { layer: "harness", kind: "success", phase: "exec", message: "exec ok rc=0" },
  finished: (status: string): Evidence => ({
    layer: "harness",
    kind: "finished",
    finishedStatus: status,
    message: `finished status=${status}`,
  }),
  oomKilled: {
    layer: "kubernetes",
    kind: "container_end",
    exitCode: 137,
    reason: "OOMKilled",
    container: "sandbox",
    mainContainer: true,
  },
  evicted: { layer: "kubernetes", kind: "event", reason: "Evicted", message: "The node was low on resource: memory." },
} satisfies Record<string, Evidence | ((value: never) => Evidence)>;
