/**
 * One failed operation is often told twice: by the client or the rollout's record, and by the server's or the gateway's
 * own line. Both become one chain (taxonomy.md §3.1), so that it is one incident with all of its evidence.
 */
import type { Layer } from "@/server/domain/evidence";
import { byTime, type Chain } from "./chains";
import { span } from "./roots";

/** Clocks of two hosts and the time an error takes to come through. */
export const TELLERS_APART_MS = 5_000;

const CLIENTS: ReadonlySet<Layer> = new Set(["record", "harness", "canary"]);
const SERVERS: ReadonlySet<Layer> = new Set(["server", "gateway"]);

/** `chains` are of one subject. Each client chain takes in at most one server chain of its class, the nearest before its end. */
export function joinTellers(chains: readonly Chain[]): Chain[] {
  const left = new Set(chains);
  for (const client of chains.filter((chain) => toldBy(chain, CLIENTS))) {
    const servers = [...left].filter((one) => one.class === client.class && toldBy(one, SERVERS) && !one.success);
    const other = nearest(client, servers);
    if (!other) continue;
    client.failures = [...client.failures, ...other.failures].sort(byTime);
    left.delete(other);
  }
  return chains.filter((chain) => left.has(chain));
}

function toldBy(chain: Chain, layers: ReadonlySet<Layer>): boolean {
  return chain.failures.every((failure) => layers.has(failure.evidence.layer));
}

function nearest(client: Chain, servers: readonly Chain[]): Chain | null {
  let best: Chain | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (const server of servers) {
    const gap = gapBefore(client, server);
    if (gap === null || gap >= bestGap) continue;
    best = server;
    bestGap = gap;
  }
  return best;
}

/** Ms from the server's telling to the client's, when they may be of one operation; else null. */
function gapBefore(client: Chain, server: Chain): number | null {
  const [, told] = span(client);
  const [, seen] = span(server);
  if (told === null || seen === null) return null;
  const gap = told - seen;
  // A record is stamped when the rollout ended, which may be long after what ended it; a log line is stamped at once.
  const reach = client.failures.some((failure) => failure.evidence.layer === "record")
    ? Number.POSITIVE_INFINITY
    : TELLERS_APART_MS;
  return gap >= -TELLERS_APART_MS && gap <= reach ? Math.abs(gap) : null;
}
