/** Access log of an AWS application load balancer: the balancer's status and, when a target answered, the target's own. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format } from "../format";
import { gatewaySeen } from "./gateway-seen";
import { parseTime } from "./times";

const LINE =
  /^(?:http|https|h2|grpcs|ws|wss) (\S+Z) (\S+) (\S+) (\S+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (\d{3}|-) (\d{3}|-) \d+ \d+ "([A-Z-]+) (\S+) [^"]*"/;

export const alb: Format = {
  name: "alb",
  title: "Access log of an AWS application load balancer",
  unit: "line",
  accepts: (payload) => LINE.test(payload.text),
  read(payload, sink) {
    const [, time = "", , client, target = "-", ...rest] = LINE.exec(payload.text) ?? [];
    const [before, during, after, status, targetStatus, method, url] = rest;
    const at = parseTime(time, { tz: null, receivedAt: 0 })?.at ?? null;
    const evidence: Evidence = { layer: "gateway", kind: "access" };
    if (status !== "-") evidence.status = Number(status);
    const seconds = [before, during, after].map(Number).filter((part) => part >= 0);
    if (seconds.length > 0) evidence.durationMs = Math.round(seconds.reduce((sum, part) => sum + part, 0) * 1000);
    if (target !== "-") evidence.peer = target;
    if (targetStatus !== "-") evidence.message = `via_upstream ${targetStatus}`;
    const seen = gatewaySeen(evidence, { method, url, client: client?.replace(/:\d+$/, ""), at });
    if (!seen) sink.routine(payload);
    else sink.observe(payload, at === null ? seen : { ...seen, at });
  },
};
