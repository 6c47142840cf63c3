/** Which pieces of a stream are parts of one record, whatever the order in which they came. */
import { MAX_PAUSE_MS, type StoredPiece } from "@/server/domain/pieces";
import type { PieceBody } from "./piece-body";

export type ReadPiece = Omit<StoredPiece, "body"> & { body: PieceBody };

export interface Chain {
  /** In the order of their lines. */
  parts: ReadPiece[];
  /** Pieces that say the beginning of one of the parts, or all of it, once more. */
  repeats: ReadPiece[];
}

const RANK = { head: 0, middle: 1, tail: 2 } as const;

/** All pieces of one stream in chains. A chain of one part without repeats has nothing to be joined. */
export function chainsOf(pieces: readonly StoredPiece[]): Chain[] {
  const chains: Chain[] = [];
  let end: ReadPiece | null = null;
  for (const piece of pieces.map(read).sort(byTime)) {
    const chain = chains.at(-1);
    const known = chain?.parts.at(-1);
    if (chain && known && isRepeat(known, piece)) {
      // Of two the one that says more counts; sorted by what they hold, so that arrival does not decide.
      const [more, less] = textOf(piece).length > textOf(known).length ? [piece, known] : [known, piece];
      chain.parts[chain.parts.length - 1] = more;
      chain.repeats.push(less);
      end = more;
      continue;
    }
    const isOpen: boolean = end !== null && end.edge !== "tail" && piece.from - end.until <= MAX_PAUSE_MS;
    if (chain && isOpen && piece.edge !== "head") chain.parts.push(piece);
    else chains.push({ parts: [piece], repeats: [] });
    end = piece;
  }
  return chains;
}

function read(piece: StoredPiece): ReadPiece {
  return { ...piece, body: JSON.parse(piece.body) as PieceBody };
}

function byTime(a: ReadPiece, b: ReadPiece): number {
  return (
    a.from - b.from ||
    a.nanos - b.nanos ||
    RANK[a.edge] - RANK[b.edge] ||
    a.until - b.until ||
    (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0) ||
    (a.batch < b.batch ? -1 : 1)
  );
}

/** Collectors deliver at least once, and a second time it may be cut elsewhere. */
function isRepeat(known: ReadPiece, piece: ReadPiece): boolean {
  if (known.from !== piece.from || known.nanos !== piece.nanos || known.batch === piece.batch) return false;
  if ((known.edge === "head") !== (piece.edge === "head")) return false;
  return textOf(piece).startsWith(textOf(known)) || textOf(known).startsWith(textOf(piece));
}

function textOf({ body }: ReadPiece): string {
  return body.lines.map((line) => line.text).join("\n");
}
