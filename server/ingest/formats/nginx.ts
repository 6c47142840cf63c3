/** nginx: its error log, its access log (combined), and the plain stderr lines of Go's reverse proxy. One request's two lines share an operation id. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, FormatContext, Payload, Seen } from "../format";
import { bounded } from "./bounded";
import { gatewaySeen } from "./gateway-seen";
import { levelOf } from "./log-line";
import { parseTime } from "./times";

const ERROR = /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(\w+)\] \d+#\d+: (?:\*\d+ )?(.*)$/s;
const GO_PROXY = /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) (http: .*)$/s;
const ACCESS =
  /^(\S+) \S+ \S+ \[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "([A-Z]+) ([^\s"]+)(?:\s[^"]*)?" (\d{3}) \S+(.*)$/s;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const nginx: Format = {
  name: "nginx",
  title: "nginx error and access log, and Go reverse proxy errors",
  unit: "line",
  accepts: ({ text }) => ERROR.test(text) || ACCESS.test(text) || GO_PROXY.test(text),
  read(payload, sink, context) {
    const seen = errorSeen(payload, context) ?? accessSeen(payload) ?? goProxySeen(payload, context);
    if (seen) sink.observe(payload, seen);
    else sink.routine(payload);
  },
};

function errorSeen({ text }: Payload, { params, receivedAt }: FormatContext): Seen | null {
  const match = ERROR.exec(text);
  if (!match) return null;
  const [, time = "", word, rest = ""] = match;
  const level = levelOf(word);
  if (level === "info" || level === "debug") return null;
  const at = parseTime(time, { tz: params.tz, receivedAt });
  const request = /\brequest: "([A-Z]+) (\S+)/.exec(rest);
  const client = /\bclient: ([^,\s]+)/.exec(rest)?.[1];
  const upstream = /\bupstream: "[a-z]+:\/\/([^/"]+)/.exec(rest)?.[1];
  const evidence: Evidence = { layer: "gateway", kind: "error", message: bounded(rest), level };
  if (upstream) evidence.peer = upstream;
  const seen = gatewaySeen(evidence, { method: request?.[1], url: request?.[2], client, at: at?.at ?? null });
  return seen && at ? { ...seen, at: at.at, atAssumed: at.assumed } : seen;
}

function accessSeen({ text }: Payload): Seen | null {
  const match = ACCESS.exec(text);
  if (!match) return null;
  const [, client, day, month = "", year, time, zone, method, url = "", status, tail = ""] = match;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  const at = parseTime(`${year}-${number}-${day} ${time}${zone}`, { tz: null, receivedAt: 0 })?.at ?? null;
  const evidence: Evidence = { layer: "gateway", kind: "access", status: Number(status) };
  const took = /\brt=(\d+\.\d+)|" "?(\d+\.\d{3})"?(?:\s|$)/.exec(tail);
  const seconds = took?.[1] ?? took?.[2];
  if (seconds !== undefined) evidence.durationMs = Math.round(Number(seconds) * 1000);
  const seen = gatewaySeen(evidence, { method, url, client, at });
  return seen && at !== null ? { ...seen, at } : seen;
}

function goProxySeen({ text }: Payload, { params, receivedAt }: FormatContext): Seen | null {
  const match = GO_PROXY.exec(text);
  if (!match) return null;
  const at = parseTime(match[1] ?? "", { tz: params.tz, receivedAt });
  const message = bounded(match[2] ?? "");
  const evidence: Evidence = { layer: "gateway", kind: "error", message };
  const peer = /\bdial tcp ([\w.:-]+:\d+)/.exec(message)?.[1];
  if (peer) evidence.peer = peer;
  const seen = gatewaySeen(evidence, { at: at?.at ?? null });
  return seen && at ? { ...seen, at: at.at, atAssumed: at.assumed } : seen;
}
