/** Ids that messages name: the sandbox, a sample pod, the pod IP behind an endpoint. */
import type { Evidence } from "@/server/domain/evidence";
import type { Seen } from "../format";
import { type JsonObject, textOf } from "./json-fields";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const SANDBOX = [
  /\bsandbox_?id\s*[=:]\s*['"]?([\w.-]+)/i,
  new RegExp(`\\bsandbox(?::|=)?\\s+'?(?:id=)?(${UUID})`, "i"),
  /\bsandbox '([\w.-]{6,})'/i,
  /\/sandboxes\/([\w.-]+)\/(?:proxy|endpoints)\//,
  /\bModal Sandbox with container ID ([\w-]+)/,
  /\bNo such container: ([0-9a-f]{12,64})/,
];
const SANDBOX_FIELD = /^(?:.*_)?(?:sandbox|sbx|bsb)(?:_?(?:id|handle|name))?$/i;

export function sandboxIn(text: string): string | undefined {
  for (const pattern of SANDBOX) {
    const id = pattern.exec(text)?.[1];
    if (id && id !== "None" && id !== "null") return id;
  }
  return undefined;
}

/** Values of top-level fields that are named like a sandbox id or handle. */
export function sandboxFields(object: JsonObject): string[] {
  const ids = Object.keys(object).flatMap((name) => (SANDBOX_FIELD.test(name) ? (textOf(object, name) ?? []) : []));
  return [...new Set(ids)];
}

/** Everything a message says about whom it is about. */
export function idsIn(text: string): Pick<Seen, "sandbox" | "podName" | "podIp"> {
  const ids: Pick<Seen, "sandbox" | "podName" | "podIp"> = {};
  const sandbox = sandboxIn(text);
  if (sandbox) ids.sandbox = sandbox;
  const podName = /\bsample pod=([\w.-]+)/.exec(text)?.[1];
  if (podName) ids.podName = podName;
  const podIp = /\bendpoint='(\d+\.\d+\.\d+\.\d+):\d+'/.exec(text)?.[1] ?? execIpIn(text);
  if (podIp) ids.podIp = podIp;
  return ids;
}

/** The address of the pod whose exec daemon the text names by its port. */
export function execIpIn(text: string): string | undefined {
  return /(?<![\d.])(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):44772\b/.exec(text)?.[1];
}

/** The peer that a connection error names. */
export function peerIn(text: string): Pick<Evidence, "peer"> {
  const peer =
    /\bendpoint='([^']+)'/.exec(text)?.[1] ??
    /\bdial tcp ([^\s]+?:\d+)/.exec(text)?.[1] ??
    /\bCannot connect to host (\S+:\d+)/.exec(text)?.[1];
  return peer ? { peer } : {};
}
