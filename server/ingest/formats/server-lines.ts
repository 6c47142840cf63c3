/** What the sandbox API server's application lines say, as data: the create path, its failures, clean-up, the Docker runtime. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { idsIn } from "./ids-in-text";

export interface ServerLine {
  /** Missing: no row of its own, only its fact. */
  kind?: Evidence["kind"];
  evidence?: Omit<Partial<Evidence>, "layer" | "kind">;
  ids: Pick<Seen, "sandbox" | "podName" | "podIp">;
  /** A fact whose value is the line's time. */
  fact?: "createdAt" | "readyAt" | "endedAt";
}

interface Row {
  pattern: RegExp;
  read(match: RegExpExecArray): Omit<ServerLine, "ids">;
}

const CREATE = { phase: "create", operation: "create" } as const;
const TEARDOWN = { phase: "teardown" } as const;

const ROWS: readonly Row[] = [
  { pattern: /^Waiting for sandbox (?<id>\S+) to be Running/, read: () => ({ fact: "createdAt" }) },
  {
    pattern: /^Sandbox (?<id>\S+) state: Running\b/,
    read: () => ({ kind: "lifecycle", evidence: CREATE, fact: "readyAt" }),
  },
  {
    pattern: /^Sandbox (?<id>\S+) state: (?:Failed|\w+) - (?<message>.*\bprimary reason=(?<reason>\w+).*)$/s,
    read: badState,
  },
  { pattern: /^Sandbox (?<id>\S+) state: Failed - (?<message>.*)$/s, read: badState },
  {
    pattern: /^Sandbox (?<id>\S+) state: Pending - (?<message>.*(?:[Cc]apacity|CAPACITY|[Uu]nschedulable).*)$/s,
    read: ({ groups }) => ({ kind: "retry", evidence: { ...CREATE, message: groups?.message } }),
  },
  {
    pattern: /^Creation failed, cleaning up sandbox (?<id>[^\s:]+): (?<status>\d{3}): (?<body>.*)$/s,
    read: createFailed,
  },
  {
    pattern: /^Created sandbox: id=(?<id>[^\s,]+)/,
    read: () => ({ kind: "lifecycle", evidence: CREATE, fact: "createdAt" }),
  },
  { pattern: /^Deleted sandbox: (?<id>\S+)/, read: () => ({ fact: "endedAt" }) },
  { pattern: /^Failed to cleanup sandbox (?<id>[^\s:]+)/, read: () => ({ kind: "error", evidence: TEARDOWN }) },
  {
    pattern: /^Error deleting sandbox (?<id>[^\s:]+)/,
    read: () => ({ kind: "error", evidence: { ...TEARDOWN, operation: "delete" } }),
  },
  {
    pattern: /^(?:Error creating sandbox|Unexpected error provisioning sandbox (?<id>[^\s:]+))/,
    read: () => ({ kind: "error", evidence: CREATE }),
  },
  { pattern: /^Error (?:checking sandbox|getting endpoint for) (?<id>[^\s:]+)/, read: () => ({ kind: "error" }) },
  {
    pattern: /^sandbox=(?<id>\S+) \| action=(?<op>[\w-]+) \| duration=(?<ms>[\d.]+)(?: \| error=(?<error>.*))?$/s,
    read: dockerAction,
  },
];

/** Null for a line that is in no row. */
export function serverLine(message: string): ServerLine | null {
  for (const row of ROWS) {
    const match = row.pattern.exec(message);
    if (!match) continue;
    const ids = idsIn(message);
    const id = match.groups?.id;
    return { ...row.read(match), ids: id ? { ...ids, sandbox: id } : ids };
  }
  return null;
}

function badState({ groups }: RegExpExecArray): Omit<ServerLine, "ids"> {
  const evidence: ServerLine["evidence"] = { ...CREATE, message: groups?.message };
  if (groups?.reason) evidence.reason = groups.reason;
  return { kind: "error", evidence };
}

function createFailed({ groups }: RegExpExecArray): Omit<ServerLine, "ids"> {
  const body = groups?.body ?? "";
  const evidence: ServerLine["evidence"] = { ...CREATE, status: Number(groups?.status), message: body };
  const code = pythonField(body, "code");
  if (code) evidence.code = code;
  evidence.message = pythonField(body, "message") ?? body;
  return { kind: "error", evidence };
}

/** A string field of a Python dict's repr: quoted either way, with its escapes undone once. */
export function pythonField(repr: string, name: string): string | undefined {
  const match = new RegExp(`['"]${name}['"]: (?:'((?:[^'\\\\]|\\\\.)*)'|"((?:[^"\\\\]|\\\\.)*)")`).exec(repr);
  const value = match?.[1] ?? match?.[2];
  return value?.replace(/\\(['"\\])/g, "$1");
}

function dockerAction({ groups }: RegExpExecArray): Omit<ServerLine, "ids"> {
  if (!groups?.error) return {};
  const operation = groups.op ?? "";
  const evidence: ServerLine["evidence"] = {
    operation,
    durationMs: Math.round(Number(groups.ms)),
    message: groups.error,
  };
  if (/creat|provision|start/.test(operation)) evidence.phase = "create";
  if (/delet|kill|stop|remove/.test(operation)) evidence.phase = "teardown";
  return { kind: "error", evidence };
}
