/** The rollouts that infrastructure ended, a JSON line each, as a trainer or a harness can take them out. */
import type { RolloutRow } from "@/server/domain/rollout";
import type { Store } from "@/server/domain/store";
import { requireRun } from "./run-directory";

/** `jsonl`: all that is known; the others: the keys under which that harness or trainer knows a sample. */
export const MASK_FORMATS = ["jsonl", "gym", "harbor", "verifiers"] as const;
export type MaskFormat = (typeof MASK_FORMATS)[number];

const PAGE = 1000;

/** Lines with their newline, newest first; read page by page, so that a large run is never held whole. Throws `not_found`. */
export async function mask(store: Store, input: { run: string; as: MaskFormat }): Promise<AsyncGenerator<string>> {
  const { scope } = await requireRun(store, input.run);
  return lines(store, scope.labels, (row) => LINE[input.as](row, scope.id));
}

async function* lines(store: Store, runs: string[], lineOf: (row: RolloutRow) => object): AsyncGenerator<string> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const filter = { runs, verdicts: ["infra_failed" as const] };
    const page = await store.listRollouts(filter, { limit: PAGE, cursor: cursor ?? null });
    if (page.items.length > 0) yield page.items.map((row) => `${JSON.stringify(lineOf(row))}\n`).join("");
    cursor = page.next;
  }
}

const LINE: Record<MaskFormat, (row: RolloutRow, run: string) => object> = {
  jsonl: (row, run) => ({
    id: row.id,
    run,
    task: row.task,
    index: row.index,
    attempt: row.attempt,
    class: row.class,
    family: row.family,
    node: row.node,
    reason: row.reason,
  }),
  gym: (row) => ({
    ...(isNumber(row.task) ? { _ng_task_index: Number(row.task) } : { instance_id: row.task }),
    _ng_rollout_index: row.index,
    ...(row.attempt > 0 ? { _ng_attempt_index: row.attempt } : {}),
    mask_sample: true,
    mask_reason: row.class,
  }),
  harbor: (row) => ({ task_name: row.task, attempt: row.index, mask: true, exception_type: row.class }),
  verifiers: (row) => ({
    task: { key: row.task },
    rollout: row.index,
    ok: false,
    errors: [{ type: "InfraError", message: `${row.class ?? "no class"}: ${row.reason}` }],
  }),
};

/** A task without a name of its own is known by its number. */
function isNumber(task: string): boolean {
  return /^\d+$/.test(task);
}
