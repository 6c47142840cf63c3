/** A rollout as a format read it → the record that is stored, its links, and observations of the failures that it carries. */
import type { DeliveryParams } from "@/server/domain/batch";
import type { Evidence } from "@/server/domain/evidence";
import type { Link } from "@/server/domain/facts";
import { makeRef, type Ref } from "@/server/domain/refs";
import { type RolloutRecord, rolloutRefs } from "@/server/domain/rollout";
import type { SeenRollout } from "./format";
import { UNNUMBERED } from "./formats/blank-rollout";
import { countFault } from "./formats/json-fields";
import { contentKey, hashKey, Ordinals, rolloutIds } from "./natural-key";
import { redact, redactConfig } from "./redact";
import { attemptRef } from "./sink-subject";
import { boundText } from "./sink-text";
import { instanceRef } from "./sink-who";

const MAX_ERROR = 2_000;

export interface MadeRollout {
  record: RolloutRecord;
  links: Link[];
  /** One per failure that the record itself carries. */
  evidence: { key: string; refs: Ref[]; evidence: Evidence }[];
}

/** Why its numbers, also those that its name gives, cannot be kept; null when they can. -1 stands for an index that it has not. */
export function numberFault({ index, attempt }: SeenRollout): string | null {
  return countFault({ index: index === UNNUMBERED ? null : index, attempt }, "index", "attempt");
}

export class RolloutMaker {
  private readonly indexes = new Ordinals();

  constructor(private readonly params: DeliveryParams) {}

  /** `run` and `source` as they hold for this record; `origin` of who sent it. */
  make(seen: SeenRollout, run: string | null, source: string, origin: RolloutRecord["origin"]): MadeRollout {
    const { evidence, attemptName, ...fields } = seen;
    const { cluster } = this.params;
    const index = this.indexOf(seen, run, source);
    const kept = {
      ...fields,
      index,
      run,
      error: fields.error === null ? null : boundText(redact(fields.error), MAX_ERROR),
      config: redactConfig(fields.config),
    };
    const ids = rolloutIds({ run, task: seen.task, index, attempt: seen.attempt });
    const content = contentKey(kept, evidence);
    const record: RolloutRecord = { ...kept, ...ids, content, cluster, origin, source };
    const { rollout } = rolloutRefs(record);
    const attempt = attemptName === undefined ? null : attemptRef(cluster, run, source, attemptName);
    const sandboxes = record.sandboxes.map((id) => makeRef("sandbox", cluster, id));
    const refs = [...sandboxes, rollout, ...(attempt === null ? [] : [attempt])];
    return {
      record,
      links: this.links(record, sandboxes, attempt),
      evidence: evidence.map((one, i) => ({ key: hashKey(["record", ids.id, content, i]), refs, evidence: one })),
    };
  }

  /** A row without an index is the next one of its task in this file. */
  private indexOf({ task, index, attempt }: SeenRollout, run: string | null, source: string): number {
    if (index !== null && index !== UNNUMBERED) return index;
    return this.indexes.next(`${run ?? ""}\n${source}\n${attempt}\n${task}`);
  }

  private links(record: RolloutRecord, sandboxes: readonly Ref[], attempt: Ref | null): Link[] {
    const from = rolloutRefs(record).rollout;
    const open = { since: null, until: null };
    const links: Link[] = sandboxes.map((to) => ({ from, to, ...open, how: "record" as const }));
    if (sandboxes.length > 0) return links;
    if (attempt !== null) return [{ from, to: attempt, ...open, how: "record" }];
    // Repeats of a task share the label; which of its sandboxes it was is told by time when subjects are derived.
    return [{ from, to: instanceRef(record.cluster, record.run, record.task), ...open, how: "label" }];
  }
}
