/**
 * One failed operation is often told twice: by the client or the rollout's record, and by the server's or the gateway's
 * own line. Both become one chain (taxonomy.md §3.1), so that it is one incident with all of its evidence.
 */
import type { EvidenceKind, Layer } from "@/server/domain/evidence";
import { byTime, type Chain } from "./chains";
import { span } from "./roots";

/** Clocks of two hosts and the time an error takes to come through. */
export const TELLERS_APART_MS = 5_000;

/**
 * What a client can say of an answer whose body its SDK dropped: the status alone, by these rules, and the classes by which the
 * server, the gateway or a retry line tells the same answer in full.
 */
const BARE: readonly { rule: string; told: RegExp }[] = [
  { rule: "gateway.bad_gateway_status", told: /^proxy\.(backend_502|bind_race)$/ },
  { rule: "control.api_error_status", told: /^proxy\.(internal_5xx|backend_disconnected)$/ },
];
/** A record's time may be that of the last call to the model before the failure, or of the end after it. */
const BARE_APART_MS = 60_000;

/** The exec daemon writes what it tells its client, and within milliseconds what it saw itself. */
const DAEMON_APART_MS = 50;

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
  for (const client of chains.filter((chain) => left.has(chain))) joinBare(client, left);
  for (const event of chains.filter((chain) => left.has(chain) && isOf(chain, "exec_event"))) joinLog(event, left);
  return chains.filter((chain) => left.has(chain));
}

/** An error event and the daemon's own line about the same command. */
function joinLog(event: Chain, left: Set<Chain>): void {
  const logs = [...left].filter((one) => one.class === event.class && isOf(one, "exec_log") && !one.success);
  const log = nearest(event, logs, (gap) => Math.abs(gap) <= DAEMON_APART_MS);
  if (!log) return;
  event.failures = [...event.failures, ...log.failures].sort(byTime);
  left.delete(log);
}

function isOf({ failures }: Chain, kind: EvidenceKind): boolean {
  return failures.length === 1 && failures[0]?.evidence.kind === kind;
}

/** A status alone is the other end's view of what another line tells in full: the fuller class holds. */
function joinBare(client: Chain, left: Set<Chain>): void {
  const bare = BARE.find(({ rule }) => client.failures.every((failure) => failure.rule === rule));
  if (!bare || !toldBy(client, CLIENTS)) return;
  const fuller = [...left].filter((one) => one !== client && bare.told.test(one.class) && !one.success);
  const other = nearest(client, fuller, (gap) => Math.abs(gap) <= BARE_APART_MS);
  if (!other) return;
  client.class = other.class;
  const statuses = client.failures.map((failure) => ({ ...failure, subCause: null }));
  client.failures = [...statuses, ...other.failures].sort(byTime);
  left.delete(other);
}

function toldBy(chain: Chain, layers: ReadonlySet<Layer>): boolean {
  return chain.failures.every((failure) => layers.has(failure.evidence.layer));
}

function nearest(client: Chain, servers: readonly Chain[], fits?: (gap: number) => boolean): Chain | null {
  let best: Chain | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (const server of servers) {
    const gap = gapBefore(client, server, fits);
    if (gap === null || gap >= bestGap) continue;
    best = server;
    bestGap = gap;
  }
  return best;
}

/** Ms from the server's telling to the client's, when they may be of one operation; else null. */
function gapBefore(client: Chain, server: Chain, fits?: (gap: number) => boolean): number | null {
  const [, told] = span(client);
  const [, seen] = span(server);
  if (told === null || seen === null) return null;
  const gap = told - seen;
  if (fits) return fits(gap) ? Math.abs(gap) : null;
  // A record is stamped when the rollout ended, which may be long after what ended it; a log line is stamped at once.
  const reach = client.failures.some((failure) => failure.evidence.layer === "record")
    ? Number.POSITIVE_INFINITY
    : TELLERS_APART_MS;
  return gap >= -TELLERS_APART_MS && gap <= reach ? Math.abs(gap) : null;
}
