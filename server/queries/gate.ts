/** May a run go on, or pass? Its infra rate against a maximum, and against a baseline. */
import type { CompareVerdict } from "@/server/compare/answer";
import { gateAgainst } from "@/server/compare/gate-against";
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { type Gate, gate } from "@/server/stats/gate";
import { compare } from "./compare";
import { heavyOf } from "./heavy";
import { listRuns } from "./list-runs";
import { defaultOrigins } from "./origins";
import { readDirectory } from "./run-directory";
import { runSummary } from "./run-summary";

export interface GateInput {
  /** Default: the newest run with rollouts. */
  run?: string;
  baseline?: string;
  /** Largest infra rate allowed, a fraction in (0, 1). */
  max: number;
  /** Inconclusive counts as failed for the exit code. */
  strict: boolean;
  /** Epoch ms. */
  now: number;
}

export interface GateAnswer extends Gate {
  run: { id: string; name: string; origin: string };
  /** A newer run without any rollout, where none was named. */
  passedOver: string | null;
  planned: number | null;
  missing: number | null;
  valid: { ok: boolean; reason: string | null };
  passAt1: number | null;
  /** How the rate's interval was made; null without a finished rollout. */
  method: string | null;
  comparison: { baseline: string; verdict: CompareVerdict; sentence: string; looked: boolean } | null;
}

/** Throws `not_found`, also when no run has rollouts yet, and `invalid` for a maximum outside (0, 1). */
export async function gateRun(store: Store, input: GateInput): Promise<GateAnswer> {
  const chosen = input.run === undefined ? await newestRun(store, input.now) : { id: input.run, passedOver: null };
  const run = await runSummary(store, { run: chosen.id, now: input.now, whole: true });
  const { labels } = (await readDirectory(store)).scopeOf(run.id);
  const clustered = await heavyOf(store).taskRate({ labels });
  const { k, n } = run.infraFailed ?? { k: 0, n: 0 };
  const ended = run.endedAt !== null;
  const alone = gate({ k, n, max: input.max, ended, strict: input.strict, rate: clustered?.rate });
  const against = input.baseline === undefined ? null : await comparisonWith(store, input.baseline, run.id, input.now);
  const judged = against === null ? alone : gateAgainst(alone, against, input.strict);
  return {
    ...judged,
    run: { id: run.id, name: run.name, origin: run.origin },
    passedOver: chosen.passedOver,
    planned: run.planned,
    missing: run.missing,
    valid: run.valid,
    passAt1: run.passAt1.asReported?.value ?? null,
    method: clustered?.method ?? null,
    comparison: against && { ...against, looked: ended },
  };
}

/** Logs alone name a run too, and say nothing about a rate. */
async function newestRun(store: Store, now: number): Promise<{ id: string; passedOver: string | null }> {
  const asked = { origins: await defaultOrigins(store), page: { limit: 1, cursor: null }, now };
  const [found] = (await listRuns(store, { ...asked, withRollouts: true })).items;
  if (!found) throw new CoalmineError("not_found", "No run has rollouts yet.");
  const [newest] = (await listRuns(store, asked)).items;
  return { id: found.id, passedOver: newest && newest.id !== found.id ? newest.id : null };
}

async function comparisonWith(store: Store, baseline: string, candidate: string, now: number) {
  const {
    verdict,
    sentence,
    baseline: side,
  } = await compare(store, {
    baseline,
    candidate,
    paired: "auto",
    now,
    whole: true,
  });
  return { baseline: side.id, verdict, sentence };
}
