/** Lines of other programs in the layouts of Python logging: uvicorn's access lines, event mirrors, helm, docker's runs of a harness. */
import type { Evidence } from "@/server/domain/evidence";
import { FACT_RANK, type Fact, type Link } from "@/server/domain/facts";
import { makeRef } from "@/server/domain/refs";
import type { Seen } from "../format";
import { accessEvidence } from "./access-line";
import type { Fields } from "./harness-fields";
import type { LogLine } from "./log-line";

export interface OtherLine {
  /** Missing: progress. */
  evidence?: Pick<Evidence, "kind"> & Partial<Evidence>;
  ids?: Partial<Seen>;
  facts?(cluster: string, at: number | null): Fact[];
  links?(cluster: string): Link[];
}

/** Null for a line of the harness itself. */
export function otherLine(line: LogLine, fields: Fields): OtherLine | null {
  if (line.logger === "uvicorn.access") return uvicornAccess(line.message);
  return mirroredEvent(line, fields) ?? helmLine(line, fields) ?? dockerRun(line.message) ?? cameAlive(line.message);
}

/** Of a server that is not ours only the client's mistakes and calls to sandboxes: its own log says the rest. */
function uvicornAccess(message: string): OtherLine {
  const access = accessEvidence(message, "server");
  const { status = 0 } = access?.evidence ?? {};
  if (!access || status < 400 || (status >= 500 && access.sandbox === undefined)) return {};
  return access.sandbox
    ? { evidence: access.evidence, ids: { sandbox: access.sandbox } }
    : { evidence: access.evidence };
}

/** `m1 Warning FailedScheduling 0/14 nodes are available …` under a logger that mirrors events. */
function mirroredEvent({ logger, message }: LogLine, fields: Fields): OtherLine | null {
  const match = logger === "events" ? /^(\S+) (Warning|Normal) (\w+) (.*)$/s.exec(message) : null;
  if (!match) return null;
  const [, name, type, reason, text] = match;
  const ids: Partial<Seen> = { attempt: releaseName(name ?? "") };
  const node = fields.get("node");
  if (node) ids.node = node;
  const level = type === "Warning" ? "warn" : "info";
  return { evidence: { layer: "kubernetes", kind: "event", reason, message: text, level }, ids };
}

/** helm names a release; the pods and events of it carry the name without the chart's prefix. */
function helmLine({ logger, message }: LogLine, fields: Fields): OtherLine | null {
  if (logger !== "helm") return null;
  const named = fields.get("release") ?? /^install(?:ed)? (\S+)/.exec(message)?.[1];
  const ids: Partial<Seen> = named ? { attempt: releaseName(named) } : {};
  if (/^installed /.test(message)) return { evidence: { kind: "success", phase: "create", operation: "create" }, ids };
  return /INSTALLATION FAILED/.test(message)
    ? { evidence: { kind: "error", phase: "create", operation: "create" }, ids }
    : {};
}

function releaseName(name: string): string {
  return name.replace(/^agent-env-/, "");
}

const CONTAINER_ID = /\bStarted container (\S+) with ID ([0-9a-f]{12,64})/;
const RUN = /\bdocker run\b.*? --name (\S+) .*? sleep (\d+)([smhd]?)\s*$/;
const UNIT_S: Record<string, number> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** A container's life is counted from the command that made it, and its name from the line that tells its id. */
function dockerRun(message: string): OtherLine | null {
  const run = RUN.exec(message);
  if (run?.[1]) {
    const name = run[1];
    const ttlS = Number(run[2]) * (UNIT_S[run[3] ?? ""] ?? 1);
    return {
      facts: (cluster, at) => {
        const ref = makeRef("podname", cluster, name);
        const fact = { ref, rank: FACT_RANK.text, at };
        return [
          { ...fact, name: "ttlS", value: ttlS },
          ...(at === null ? [] : [{ ...fact, name: "createdAt", value: at }]),
        ];
      },
    };
  }
  const started = CONTAINER_ID.exec(message);
  if (!started?.[1] || !started[2]) return null;
  const [, name, id] = started;
  return {
    evidence: { kind: "lifecycle", phase: "create" },
    ids: { sandbox: id },
    links: (cluster) => [
      {
        from: makeRef("podname", cluster, name),
        to: makeRef("sandbox", cluster, id),
        since: null,
        until: null,
        how: "text",
      },
    ],
  };
}

/** A remote runtime that was polled until it answered. */
function cameAlive(message: string): OtherLine | null {
  const failed = /^503 Server Error: .* for url: \S+\/sandbox\/([\w.-]+)\/(?:is_)?alive\b/.exec(message);
  const call = { phase: "create", operation: "alive", operationId: "alive" } as const;
  if (failed?.[1]) return { evidence: { kind: "retry", status: 503, ...call }, ids: { sandbox: failed[1] } };
  const alive = /^sandbox (\S+) alive\b/.exec(message)?.[1];
  return alive ? { evidence: { kind: "success", ...call }, ids: { sandbox: alive } } : null;
}
