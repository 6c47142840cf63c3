/** Classes that only the whole case can give: what one line alone cannot prove (taxonomy.md §3.7). */
import type { Observation } from "@/server/domain/facts";
import type { Chain } from "./chains";
import { type FactSheet, numberFact } from "./merge-facts";

/** The exec daemon binds within this time after create; a 502 to it inside the window is a race. */
export const BIND_WINDOW_MS = 10_000;
/** A sandbox that dies this near its time to live came to its expected end. */
export const TTL_WINDOW_MS = 60_000;

/** A 502 to the exec daemon within the bind window after the sandbox was created or came up, unless the daemon had answered. */
export function upgradeBindRace(chain: Chain, facts: FactSheet, lifecycle: readonly Observation[]): string {
  if (chain.class !== "proxy.backend_502") return chain.class;
  const [failure] = chain.failures;
  const first = failure?.at ?? null;
  if (first === null || failure?.evidence.daemonAnswered === true) return chain.class;
  const starts = [numberFact(facts, "createdAt"), numberFact(facts, "readyAt"), ...lifecycle.map((seen) => seen.at)];
  const raced = starts.some((start) => start !== null && first >= start && first - start <= BIND_WINDOW_MS);
  return raced ? "proxy.bind_race" : chain.class;
}

/** `ttl` when the sandbox was gone at the end of its time to live, counted from its creation. */
export function goneByTtl(chain: Chain, facts: FactSheet): string | null {
  if (chain.class !== "control.sandbox_gone") return null;
  const ttlS = numberFact(facts, "ttlS");
  const createdAt = numberFact(facts, "createdAt");
  const first = chain.failures[0]?.at ?? null;
  if (ttlS === null || createdAt === null || first === null) return null;
  return Math.abs(first - (createdAt + ttlS * 1000)) <= TTL_WINDOW_MS ? "ttl" : null;
}

/** A second start of the exec daemon in one sandbox: it restarted and lost its state. */
export function restarts(lifecycle: readonly Observation[]): Observation[] {
  const starts = lifecycle
    .filter((seen) => seen.label === "execd listening" && seen.at !== null)
    .sort((a, b) => (a.at as number) - (b.at as number));
  return starts
    .slice(1)
    .map((seen) => ({ ...seen, class: "pod.restarted", rule: "derive.second_start", confidence: "likely" }));
}
