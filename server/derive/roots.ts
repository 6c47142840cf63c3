/**
 * Root over symptom (taxonomy.md §3.5): a 502, a cut stream or a kill within a minute of an OOM, an eviction or a node event
 * on the same subject is its symptom, and so is a create that timed out on a sandbox that could not be scheduled, pulled or started.
 */
import type { Chain } from "./chains";

export const ROOT_WINDOW_MS = 60_000;

interface Causes {
  root: RegExp;
  symptom: RegExp;
  /** Both must name the same request, where both name one. */
  sameRequest?: boolean;
  /** Symptoms may lie this long around the root; Infinity: anywhere on the subject. */
  windowMs: number;
}

const CAUSES: readonly Causes[] = [
  {
    root: /^(pod\.(oom_killed|evicted)|node\.(not_ready|shutdown|oom))$/,
    symptom:
      /^(transport|proxy|exec)\.|^(pod\.(killed_unknown|restarted|oom_process)|control\.sandbox_gone|agent\.command_killed|gateway\.)/,
    windowMs: ROOT_WINDOW_MS,
  },
  {
    root: /^(control\.unschedulable|pod\.(image_pull|network_setup|start_failed))$/,
    symptom: /^control\.(create_timeout|ready_check_failed)$/,
    windowMs: Number.POSITIVE_INFINITY,
  },
  {
    root: /^(transport\.pool_exhausted|pod\.process_limit|proxy\.pool_exhausted)$/,
    symptom: /^(transport\.(connection_reset|connect_refused|connect_timeout)|exec\.spawn_failed|proxy\.internal_5xx)$/,
    windowMs: ROOT_WINDOW_MS,
  },
  {
    // The gateway's error line says why, its access line only that it was a 502.
    root: /^gateway\.(stale_upstream|connect_failed|timeout|unavailable)$/,
    symptom: /^gateway\.bad_gateway$/,
    sameRequest: true,
    windowMs: 2_000,
  },
];

export interface RootedChain {
  chain: Chain;
  symptoms: Chain[];
}

/** Each chain that is no symptom, with the chains that are symptoms of it; a symptom goes to the root nearest in time. */
export function rootChains(chains: readonly Chain[]): RootedChain[] {
  const rooted = new Map<Chain, RootedChain>(chains.map((chain) => [chain, { chain, symptoms: [] }]));
  for (const symptom of chains) {
    const root = nearestRoot(symptom, chains);
    if (!root) continue;
    rooted.get(root)?.symptoms.push(symptom);
    rooted.delete(symptom);
  }
  return [...rooted.values()];
}

function nearestRoot(symptom: Chain, chains: readonly Chain[]): Chain | null {
  let best: Chain | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (const cause of CAUSES) {
    if (!cause.symptom.test(symptom.class)) continue;
    for (const root of chains) {
      if (root === symptom || !cause.root.test(root.class) || nearestRootIsSelf(root, symptom)) continue;
      const gap = gapBetween(root, symptom);
      if (cause.sameRequest && !sameRequest(root, symptom)) continue;
      if (gap <= cause.windowMs && (best === null || gap < bestGap)) {
        best = root;
        bestGap = gap;
      }
    }
  }
  return best;
}

/** A chain of a class that can be both (an OOM'd process) is never its own root. */
function nearestRootIsSelf(root: Chain, symptom: Chain): boolean {
  return root.class === symptom.class;
}

function sameRequest(a: Chain, b: Chain): boolean {
  const [one, other] = [a, b].map(
    (chain) => chain.failures.find((failure) => failure.evidence.path !== undefined)?.evidence,
  );
  return one === undefined || other === undefined || (one.path === other.path && one.method === other.method);
}

/** Silence between two chains in ms; 0 when they overlap or one has no time. */
function gapBetween(a: Chain, b: Chain): number {
  const [a0, a1] = span(a);
  const [b0, b1] = span(b);
  if (a0 === null || a1 === null || b0 === null || b1 === null) return 0;
  return Math.max(0, a0 - b1, b0 - a1);
}

export function span(chain: Chain): [number | null, number | null] {
  const times = chain.failures.flatMap((failure) => (failure.at === null ? [] : [failure.at]));
  return times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
}
