/** A sandbox's pod as the Kubernetes API tells it, where the sandbox server does not: node, limits, how its container ended. */
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { CoalmineError } from "@/server/domain/errors";
import type { Inspected } from "./inspect-text";
import { asRecord, isRecord } from "./problem";
import type { Target } from "./target";

const DEADLINE_MS = 5_000;
const MAX_BYTES = 2 << 20;
/** Labels that carry the sandbox's id: on pods made for it, and on a pool's pod while it is allocated to it. */
const LABELS = ["opensandbox.io/id", "batch-sandbox.sandbox.opensandbox.io/name"] as const;

type Settings = NonNullable<Target["kubernetes"]>;

export class Pods {
  private readonly pool: Pool;

  /** `token` null: the API server asks for none. */
  constructor(
    private readonly settings: Settings,
    private readonly token: string | null,
    ca?: string,
  ) {
    this.pool = new Pool(settings.apiServer, { connections: 8, connect: ca === undefined ? {} : { ca } });
  }

  /** Null when there is no such pod, the API refuses, or it does not answer. Never throws. */
  async find(sandbox: string): Promise<Inspected | null> {
    for (const label of LABELS) {
      const items = await this.list(`${label}=${sandbox}`);
      const pod = items?.find(isRecord);
      if (pod) return podSaid(pod);
    }
    return null;
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async list(labelSelector: string): Promise<unknown[] | null> {
    const query = new URLSearchParams({ labelSelector, limit: "10" });
    const path = `/api/v1/namespaces/${encodeURIComponent(this.settings.namespace)}/pods?${query}`;
    const headers = {
      accept: "application/json",
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
    try {
      const answer = await this.pool.request({
        method: "GET",
        path,
        headers,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      let text = "";
      for await (const chunk of answer.body) {
        text += String(chunk);
        if (text.length > MAX_BYTES) return null;
      }
      const items = answer.statusCode === 200 ? asRecord(text)?.items : null;
      return Array.isArray(items) ? items : null;
    } catch {
      return null;
    }
  }
}

/** What a pod object says, each field taken with care. */
export function podSaid(pod: Record<string, unknown>): Inspected {
  const [metadata, spec, status] = [recordAt(pod, "metadata"), recordAt(pod, "spec"), recordAt(pod, "status")];
  const container = named(spec.containers);
  const state = named(status.containerStatuses);
  const resources = recordAt(container, "resources");
  return {
    node: textAt(spec, "nodeName"),
    pod: textAt(metadata, "name"),
    namespace: textAt(metadata, "namespace"),
    podIp: textAt(status, "podIP"),
    hostIp: textAt(status, "hostIP"),
    phase: textAt(status, "phase"),
    restarts: typeof state.restartCount === "number" ? state.restartCount : null,
    lastState: endOf(recordAt(state, "lastState")) ?? endOf(recordAt(state, "state")),
    limits: textsIn(recordAt(resources, "limits")),
    requests: textsIn(recordAt(resources, "requests")),
  };
}

/** As the sandbox server writes it: `exit=137, reason=OOMKilled`. */
function endOf(state: Record<string, unknown>): string | null {
  const { exitCode, reason } = recordAt(state, "terminated");
  return typeof exitCode === "number" ? `exit=${exitCode}, reason=${typeof reason === "string" ? reason : ""}` : null;
}

/** The sandbox's own container is named so, else it is the first. */
function named(list: unknown): Record<string, unknown> {
  const all = Array.isArray(list) ? list.filter(isRecord) : [];
  return all.find((one) => one.name === "sandbox") ?? all[0] ?? {};
}

function recordAt(from: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = from[key];
  return isRecord(value) ? value : {};
}

function textAt(from: Record<string, unknown>, key: string): string | null {
  const value = from[key];
  return typeof value === "string" && value !== "" ? value : null;
}

function textsIn(from: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** By target, for those that have an API server configured. Throws `invalid` when a certificate file cannot be read. */
export function podsOf(
  targets: readonly Target[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, Pods> {
  const found = new Map<string, Pods>();
  for (const { name, kubernetes } of targets) {
    if (!kubernetes) continue;
    const { tokenEnv, caFile } = kubernetes;
    const token = (tokenEnv === undefined ? undefined : env[tokenEnv]) || null;
    found.set(name, new Pods(kubernetes, token, caFile === undefined ? undefined : certificateIn(name, caFile)));
  }
  return found;
}

function certificateIn(target: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CoalmineError("invalid", `target ${target}: kubernetes.caFile cannot be read: ${why}`);
  }
}
