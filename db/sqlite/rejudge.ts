/** Which rules judged what, and the replacement of their conclusions when the rules have changed. */
import { sql } from "drizzle-orm";
import type { Observation } from "@/server/domain/facts";
import type { Ref } from "@/server/domain/refs";
import type { Facts } from "@/server/domain/store";
import { findBatch } from "./batches";
import type { Connection } from "./connection";
import { cutPage, pageLimit, readCursor } from "./pages";
import type { Queue } from "./queue";
import { type ObservationRow, toObservation } from "./rows";
import { touchRuns } from "./run-versions";
import type { PlainMethods } from "./storage-errors";
import { chooseObservation } from "./winners";

type Judging = PlainMethods<Pick<Facts, "judgedOtherwise" | "rowsJudgedOtherwise" | "rejudge">>;

const NOTE = `UPDATE batches SET rulesVersion = CASE WHEN rulesVersion IS NULL OR rulesVersion = ? THEN ? ELSE '' END WHERE seq = ?`;
const JUDGE =
  "UPDATE observations SET class = ?, rule = ?, subCause = ?, confidence = ?, rulesVersion = ? WHERE seq = ?";

/** Inside the transaction that appends: which rules judged these observations of a batch. */
export function noteRules(connection: Connection, batch: number, rows: readonly Observation[]): void {
  for (const version of new Set(rows.map((row) => row.rulesVersion)))
    connection.statement(NOTE).run(version, version, batch);
}

export function rejudgeMethods(connection: Connection, queue: Queue): Judging {
  return {
    judgedOtherwise(version) {
      const rows = connection.all<{ id: string; observations: number }>(
        sql`SELECT id, observations FROM batches WHERE state = 'complete' AND rulesVersion <> ${version} ORDER BY seq`,
      );
      const observations = rows.reduce((sum, row) => sum + row.observations, 0);
      return { batches: rows.map((row) => row.id), observations };
    },
    rowsJudgedOtherwise(batch, version, page) {
      const limit = pageLimit(page);
      const after = readCursor(page, "judged", ["number"])?.[0] ?? 0;
      const seq = findBatch(connection, batch)?.seq ?? -1;
      const rows = connection.all<ObservationRow>(sql`SELECT * FROM observations
        WHERE batch = ${seq} AND seq > ${after} AND rulesVersion <> ${version} ORDER BY seq LIMIT ${limit + 1}`);
      const toItem = (row: ObservationRow) => ({ row: String(row.seq), observation: toObservation(row) });
      return cutPage(rows, limit, "judged", (row) => [row.seq], toItem);
    },
    rejudge: (version, rows, done) =>
      connection.write((dataVersion) => {
        const changed: ObservationRow[] = [];
        for (const { row, judgement } of rows) {
          const known = connection.statement("SELECT * FROM observations WHERE seq = ?").get(Number(row));
          if (known === undefined) continue;
          const { class: name, rule, subCause, confidence } = judgement;
          connection.statement(JUDGE).run(name, rule, subCause, confidence, version, Number(row));
          // Of rows that are alike in all else, what was concluded of them decides which one counts.
          const before = known as ObservationRow;
          chooseObservation(connection, before.keyHash, before.key);
          const same = before.class === name && before.rule === rule && before.subCause === subCause;
          if (!same || before.confidence !== confidence) changed.push(before);
        }
        queue.add(
          changed.flatMap((row) => JSON.parse(row.refs) as Ref[]),
          dataVersion,
        );
        touchRuns(
          connection,
          changed.map((row) => row.run),
        );
        if (done !== null) connection.run(sql`UPDATE batches SET rulesVersion = ${version} WHERE id = ${done}`);
      }),
  };
}
