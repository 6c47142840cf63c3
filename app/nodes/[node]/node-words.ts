/** What is said of one node. Pure. */
import { count, percent, plural, pValue } from "@/app/_ui/format";
import type { NodeDetail } from "@/server/domain/node-detail";
import type { Rate } from "@/server/domain/rate";

/** What else the test has to say: bursts, what is known of where rollouts ran, and what this size could show. */
export function testNotes(node: NodeDetail): string[] {
  return [burstNote(node), attributionNote(node), powerNote(node)].filter((note) => note !== null);
}

function burstNote({ burst, p, infraFailed }: NodeDetail): string | null {
  if (burst === null || p === null || infraFailed === null || burst.failures === infraFailed.k) return null;
  const only = p <= 0.05 && burst.p > 0.05 ? " One burst may be all there is." : "";
  return `With failures within 60 s of each other counted once there are ${burst.failures}, and p is ${pValue(burst.p)}.${only}`;
}

function attributionNote({ attribution }: NodeDetail): string | null {
  if (attribution?.failed == null || attribution.notFailed === null) return null;
  const { failed, notFailed, even } = attribution;
  const known = `Where a rollout ran is known for ${share(failed)} of those lost and ${share(notFailed)} of the others in its runs`;
  return even ? `${known}.` : `${known}: too uneven to judge by. Send the pods, so that all are placed.`;
}

function share({ k, n, value }: Rate): string {
  return `${percent(value, 0)} (${count(k)} of ${count(n)})`;
}

function powerNote({ smallestExcess, infraFailed }: NodeDetail): string | null {
  if (infraFailed === null) return null;
  if (smallestExcess === null) return "So few rollouts could not have shown any excess.";
  const { failures, rate, times } = smallestExcess;
  const multiple = times === null ? "" : `, ${times.toFixed(1)} times the others' rate`;
  return `With so many rollouts it takes ${plural(failures, "failure")} to stand out: a node that loses about ${percent(rate, 0)}${multiple} is found four times out of five.`;
}

const HOUR_MS = 3_600_000;
/** Hours drawn with their holes; over a longer time only hours in which something ran. */
const WITH_HOLES = 72;

/** Hours in order; those in which nothing ran between them are filled in while that leaves room to read. */
export function hoursShown(timeline: NodeDetail["timeline"]): NodeDetail["timeline"] {
  const [first, last] = [timeline[0], timeline.at(-1)];
  if (!first || !last) return [];
  const from = Date.parse(first.at);
  const hours = (Date.parse(last.at) - from) / HOUR_MS + 1;
  if (hours > WITH_HOLES) return timeline;
  const known = new Map(timeline.map((bucket) => [Date.parse(bucket.at), bucket]));
  const none = { disconnect: 0, proxy: 0, oom: 0, startup: 0, scheduling: 0, node: 0, other: 0 };
  return Array.from({ length: hours }, (_, i) => {
    const at = from + i * HOUR_MS;
    return known.get(at) ?? { at: new Date(at).toISOString(), well: 0, byFamily: none };
  });
}
