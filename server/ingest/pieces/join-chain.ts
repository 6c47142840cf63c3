/** Reads a chain of pieces as the one delivery that was not cut would have been read. */
import type { Classifier } from "@/server/classify/classifier";
import type { Observation } from "@/server/domain/facts";
import type { PieceJoin, PieceReject } from "@/server/domain/pieces";
import { LineReader } from "../detect-lines";
import { chooseReaders, type Readers } from "../detect-names";
import { RowSink } from "../sink";
import type { Chain, ReadPiece } from "./chains";

interface Said {
  observations: Observation[];
  rejects: PieceReject[];
}

/** What changes in the pieces' deliveries; empty when they are read alike alone and together. */
export function joinsOf(chain: Chain, readers: Readers, classifier: Classifier): PieceJoin[] {
  if (chain.parts.length + chain.repeats.length === 1) return [];
  const said = saidTogether(chain.parts, readers, classifier);
  const joins = [...chain.parts, ...chain.repeats].map((piece) => difference(piece, said.get(piece)));
  // Also a part that is read alike alone belongs to the chain: without it the others could not be joined again.
  return joins.some(changes) ? joins : [];
}

function changes({ keys, rejects, observations }: PieceJoin): boolean {
  return keys.length + rejects.length + observations.length > 0;
}

function difference(piece: ReadPiece, said: Said | undefined): PieceJoin {
  const { observations = [], rejects = [] } = said ?? {};
  return {
    piece: piece.id,
    keys: piece.keys.filter((key) => !observations.some((row) => row.key === key)),
    // What is still not understood is a reject already: the delivery made one of every line that it could not read.
    rejects: piece.rejects.filter(({ line }) => !rejects.some((reject) => reject.line === line)),
    observations: observations.filter(({ key }) => !piece.keys.includes(key)),
  };
}

function saidTogether(parts: readonly ReadPiece[], readers: Readers, classifier: Classifier): Map<ReadPiece, Said> {
  const first = (parts[0] as ReadPiece).body;
  const sink = new RowSink(first.params, classifier);
  const { params, receivedAt } = first;
  const reader = new LineReader(chooseReaders(params.format, readers), sink, { params, receivedAt });
  const lines = parts.flatMap((piece) => piece.body.lines.map((line) => ({ piece, line })));
  // Numbered anew, so that each row tells from which piece it is.
  for (const [index, { piece, line }] of lines.entries())
    reader.payload({ ...line, part: 0, who: piece.body.who, line: index + 1 });
  reader.end();
  const { rows } = sink.take(true);
  const said = new Map<ReadPiece, Said>(parts.map((piece) => [piece, { observations: [], rejects: [] }]));
  for (const row of rows.observations) {
    const from = lines[row.line - 1];
    if (!from) continue;
    const { line, part = 0 } = from.line;
    said.get(from.piece)?.observations.push({ ...row, line, ...(part > 0 && { part }) });
  }
  for (const row of rows.rejects) {
    const from = lines[row.line - 1];
    if (from) said.get(from.piece)?.rejects.push({ line: from.line.line, sample: row.sample });
  }
  return said;
}
