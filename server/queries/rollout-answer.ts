/** A rollout as the API shows it. Pure. */

import type { RunDirectory } from "@/server/derive/run-directory";
import type { RolloutAnswer } from "@/server/domain/answers";
import type { RolloutRow } from "@/server/domain/rollout";
import { iso } from "./iso";

const FROZEN = "(Older than the retention: this stands as it was, its evidence may be gone.)";

export function rolloutAnswer(row: RolloutRow, directory: RunDirectory): RolloutAnswer {
  return {
    id: row.id,
    run: row.run === null ? null : directory.ownerOf(row.run),
    task: row.task,
    index: row.index,
    attempt: row.attempt,
    effective: row.effective,
    verdict: row.verdict,
    class: row.class,
    family: row.family,
    confidence: row.confidence,
    reason: row.frozen ? `${row.reason} ${FROZEN}` : row.reason,
    suspect: row.suspect,
    masked: row.masked,
    reward: row.reward,
    absorbed: row.absorbed,
    node: row.node,
    sandbox: row.sandbox,
    configKey: row.configKey,
    startedAt: iso(row.startedAt),
    endedAt: iso(row.endedAt),
    at: iso(row.at),
    error: row.error,
    incident: row.incident,
    agent: row.agent,
    ...(row.frozen ? { frozen: true } : {}),
  };
}
