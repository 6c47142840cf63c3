/** The queue of refs to derive, and the replacement of what was derived. */
import type { Incident } from "@/server/domain/incident";
import type { RolloutVerdict } from "@/server/domain/rollout";
import type { Facts } from "@/server/domain/store";
import type { Connection } from "./connection";
import { fromIncident, fromVerdict } from "./derived-rows";
import { insertInto } from "./insert";
import type { Queue } from "./queue";
import type { RolloutRow } from "./rows";
import { incidents, verdicts } from "./schema-derived";
import type { PlainMethods } from "./storage-errors";

export function settleMethods(connection: Connection, queue: Queue): PlainMethods<Pick<Facts, "unsettled" | "settle">> {
  return {
    unsettled: (limit) => queue.oldest(limit),
    settle(change) {
      connection.write((version) => {
        replaceIncidents(connection, change.subjects, change.incidents);
        replaceVerdicts(connection, change.groups, change.verdicts);
        queue.remove(change.refs);
        queue.add(change.queue, version);
      });
      queue.forget(change.refs);
    },
  };
}

function replaceIncidents(connection: Connection, subjects: readonly string[], rows: readonly Incident[]): void {
  const ofSubject = connection.statement("DELETE FROM incidents WHERE ref = ?");
  const ofId = connection.statement("DELETE FROM incidents WHERE id = ?");
  const insert = insertInto(connection, incidents);
  for (const subject of new Set(subjects)) ofSubject.run(subject);
  for (const incident of rows) {
    ofId.run(incident.id);
    insert(fromIncident(incident));
  }
}

/** A verdict whose record has gone meanwhile is not kept. */
function replaceVerdicts(connection: Connection, groups: readonly string[], rows: readonly RolloutVerdict[]): void {
  const ofGroup = connection.statement("DELETE FROM verdicts WHERE groupId = ?");
  const ofRecord = connection.statement("DELETE FROM verdicts WHERE id = ? AND content = ?");
  const record = connection.statement("SELECT * FROM rollouts WHERE id = ? AND content = ? AND main = 1");
  const insert = insertInto(connection, verdicts);
  for (const group of new Set(groups)) ofGroup.run(group);
  for (const verdict of rows) {
    ofRecord.run(verdict.id, verdict.content);
    const found = record.get(verdict.id, verdict.content) as RolloutRow | undefined;
    if (found) insert(fromVerdict(verdict, found));
  }
}
