/** The append of one segment of a delivery: one transaction, durable when it returns. */
import type { BatchCounts, FactRows, Facts } from "@/server/domain/store";
import { appendFacts, appendLinks, appendObservations } from "./append-evidence";
import { appendPlanned, appendRejects, appendRollouts, appendSightings } from "./append-rollouts";
import { appendBlocks } from "./archive-append";
import { requireReceiving } from "./batches";
import type { Connection } from "./connection";
import { Marks } from "./marks";
import { NewSpans } from "./new-spans";
import { appendPieces } from "./pieces";
import type { Queue } from "./queue";
import { noteRules } from "./rejudge";
import type { BatchRow } from "./rows";
import type { PlainMethods } from "./storage-errors";

const COUNT = `UPDATE batches SET bytes = bytes + ?, records = records + ?, observations = observations + ?,
  rollouts = rollouts + ?, routine = routine + ?, duplicates = duplicates + ?, rejected = rejected + ? WHERE seq = ?`;

const KEPT = "UPDATE batches SET lines = lines + ?, unkept = unkept + ? WHERE seq = ?";

export function appendMethods(connection: Connection, queue: Queue): PlainMethods<Pick<Facts, "append">> {
  return {
    append: (batchId, rows, counts) =>
      connection.write((version) => {
        const batch = requireReceiving(connection, batchId);
        const { duplicates } = appendRows({ connection, queue, version }, batch, rows);
        addCounts(connection, batch.seq, counts, duplicates);
        const lines = rows.archive.reduce((sum, block) => sum + block.lines, 0);
        connection.statement(KEPT).run(lines, rows.unkept ?? 0, batch.seq);
        return { duplicates };
      }),
  };
}

export interface Writing {
  connection: Connection;
  queue: Queue;
  /** Version of the data that this write makes. */
  version: number;
}

/** Inside the caller's transaction. Returns how many observations were added, and how many of them and of rollouts were there before. */
export function appendRows({ connection, queue, version }: Writing, batch: BatchRow, rows: FactRows) {
  const seen = appendObservations(connection, batch.seq, rows.observations);
  const spans = spansOf(rows);
  const duplicates = seen.duplicates + appendRollouts(connection, batch.seq, rows.rollouts);
  appendLinks(connection, batch.seq, rows.links, spans);
  appendFacts(connection, batch.seq, rows.facts, spans);
  appendPlanned(connection, batch.seq, rows.planned);
  appendSightings(connection, batch.seq, rows.sightings);
  appendRejects(connection, batch.seq, rows.rejects);
  appendPieces(connection, batch.seq, rows.pieces ?? []);
  appendBlocks(connection, batch, rows.archive);
  marksOf(rows, batch.origin).write(connection, batch.seq);
  noteRules(connection, batch.seq, rows.observations);
  queue.add(rows.touched, version, spans);
  queue.add(seen.alsoTouched, version);
  return { added: seen.added, duplicates };
}

function spansOf(rows: FactRows): NewSpans {
  const spans = new NewSpans();
  for (const { refs, at } of rows.observations) for (const ref of refs) spans.note(ref, at, at);
  return spans;
}

function marksOf(rows: FactRows, origin: string): Marks {
  const marks = new Marks();
  for (const o of rows.observations) marks.note(o.run, o.node, o.origin, [o.at]);
  for (const r of rows.rollouts) marks.note(r.run, r.node, r.origin, [r.startedAt, r.endedAt]);
  for (const plan of rows.planned) marks.note(plan.run, null, origin);
  for (const fact of rows.facts) if (fact.name === "node") marks.note(null, String(fact.value), origin);
  return marks;
}

function addCounts(connection: Connection, batch: number, counts: BatchCounts, duplicates: number): void {
  const { bytes, records, observations, rollouts, routine, rejected } = counts;
  connection
    .statement(COUNT)
    .run(bytes, records, observations, rollouts, routine, counts.duplicates + duplicates, rejected, batch);
}
