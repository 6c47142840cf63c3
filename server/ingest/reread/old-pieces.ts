/** Which ends of records, kept when a delivery was read at first, those of reading it again take the place of. */
import type { Piece, StoredPiece } from "@/server/domain/pieces";
import type { RecordPlace } from "@/server/domain/rereading";
import type { PieceBody } from "../pieces/piece-body";
import { placeKey } from "./line-replay";

export class OldPieces {
  private readonly linesOf = new Map<StoredPiece, string[]>();
  private readonly wanted: Set<string>;
  private readonly read = new Set<string>();

  constructor(private readonly pieces: readonly StoredPiece[]) {
    for (const piece of pieces) {
      const { lines } = JSON.parse(piece.body) as PieceBody;
      this.linesOf.set(
        piece,
        lines.map(({ line, part = 0 }) => placeKey({ line, part })),
      );
    }
    this.wanted = new Set([...this.linesOf.values()].flat());
  }

  /** These records were read again. */
  note(places: readonly RecordPlace[]): void {
    if (this.wanted.size === 0) return;
    for (const key of places.map(placeKey)) if (this.wanted.has(key)) this.read.add(key);
  }

  /** Those of which every line was read again. */
  gone(): StoredPiece[] {
    return this.pieces.filter((piece) => this.linesOf.get(piece)?.every((key) => this.read.has(key)));
  }

  /** New pieces, as exact in time as those that they replace; none beside an old one that stays. */
  replacing(made: readonly Piece[]): Piece[] {
    const gone = new Set(this.gone());
    const alike = (one: Piece) => this.pieces.filter((old) => old.stream === one.stream && old.from === one.from);
    return made
      .filter((one) => alike(one).every((old) => gone.has(old)))
      .map((one) => ({ ...one, nanos: alike(one)[0]?.nanos ?? one.nanos }));
  }
}
