/** The queue of refs to derive, and the replacement of what was derived. */
import type { RolloutVerdict } from "@/server/domain/rollout";
import type { Facts } from "@/server/domain/store";
import type { Connection } from "./connection";
import { fromVerdict } from "./derived-rows";
import { insertInto } from "./insert";
import type { Queue } from "./queue";
import { replaceIncidents } from "./replace-incidents";
import { frozenGroups } from "./retention";
import { buildCells, type CellPlace, markCells } from "./rollups";
import { fromTime, type RolloutRow } from "./rows";
import { touchRuns } from "./run-versions";
import { verdicts } from "./schema-derived";
import type { PlainMethods } from "./storage-errors";

export function settleMethods(
  connection: Connection,
  queue: Queue,
): PlainMethods<Pick<Facts, "unsettled" | "newSpans" | "settle">> {
  return {
    unsettled: (limit) => queue.oldest(limit),
    newSpans: (refs) => queue.spansOf(refs),
    settle(change) {
      connection.write((version) => {
        replaceIncidents(connection, change.subjects, change.incidents);
        noteReplaced(connection, change.replaced ?? []);
        replaceVerdicts(connection, change.groups, change.verdicts);
        queue.remove(change.refs);
        queue.add(change.queue, version);
        buildCells(connection);
      });
      queue.forget(change.refs);
    },
  };
}

function noteReplaced(connection: Connection, replaced: readonly { id: string; by: string }[]): void {
  const note = connection.statement("INSERT OR REPLACE INTO replaced_incidents (id, by) VALUES (?, ?)");
  const lives = connection.statement("DELETE FROM replaced_incidents WHERE id = ?");
  for (const { id, by } of replaced) {
    note.run(id, by);
    lives.run(by);
  }
}

/** Follows an id to the last that took its place. */
export function supersededBy(connection: Connection, id: string): string | null {
  const next = connection.statement("SELECT by FROM replaced_incidents WHERE id = ?");
  const seen = new Set([id]);
  let last: string | null = null;
  for (let row = next.get(id); row !== undefined; row = next.get(last)) {
    const { by } = row as { by: string };
    if (seen.has(by)) break;
    seen.add(by);
    last = by;
  }
  return last;
}

/** A verdict whose record has gone meanwhile is not kept. */
function replaceVerdicts(connection: Connection, groups: readonly string[], rows: readonly RolloutVerdict[]): void {
  const ofGroup = connection.statement("DELETE FROM verdicts WHERE groupId = ? RETURNING run, time");
  const ofRecord = connection.statement("DELETE FROM verdicts WHERE id = ? AND content = ? RETURNING run, time");
  const record = connection.statement("SELECT * FROM rollouts WHERE id = ? AND content = ? AND main = 1");
  const insert = insertInto(connection, verdicts);
  const changed: CellPlace[] = [];
  const frozen = frozenGroups(connection, groups);
  for (const group of new Set(groups)) if (!frozen.has(group)) changed.push(...(ofGroup.all(group) as CellPlace[]));
  for (const verdict of rows) {
    if (frozen.has(verdict.group)) continue;
    changed.push(...(ofRecord.all(verdict.id, verdict.content) as CellPlace[]));
    const found = record.get(verdict.id, verdict.content) as RolloutRow | undefined;
    if (!found) continue;
    insert(fromVerdict(verdict, found));
    changed.push({ run: found.run, time: fromTime(verdict.at) });
  }
  markCells(connection, changed);
  touchRuns(
    connection,
    changed.map((place) => place.run),
  );
}
