/** What is known of a delivery when all of its lines were read again. */
import type { Batch } from "@/server/domain/batch";
import type { Sighting } from "@/server/domain/facts";
import type { Piece } from "@/server/domain/pieces";
import type { NotAgain } from "@/server/domain/reclassify";
import type { KeptDelivery, RereadEnd } from "@/server/domain/rereading";
import type { BatchCounts } from "@/server/domain/segment";
import type { Readers } from "../detect-names";
import { keepsLines } from "../line-archive";
import { readerVersion } from "../reader-version";
import type { HeldRows } from "./held-rows";
import type { LineReplay } from "./line-replay";
import type { OldPieces } from "./old-pieces";

interface Ended {
  end: RereadEnd;
  rows: { pieces: Piece[]; sightings: Sighting[] };
}

export class RereadEnding {
  private readonly counts = { records: 0, observations: 0, rollouts: 0, routine: 0, rejected: 0 };

  constructor(
    private readonly batch: Batch,
    private readonly kept: KeptDelivery,
    private readonly replay: LineReplay,
    private readonly pieces: OldPieces,
    private readonly rulesVersion: string,
  ) {}

  count(counts: BatchCounts): void {
    for (const name of Object.keys(this.counts) as (keyof typeof this.counts)[]) this.counts[name] += counts[name];
  }

  left(): Record<NotAgain, number> {
    return { ...this.replay.left, records: this.kept.unkept };
  }

  private countsWith(broken: number): typeof this.counts {
    const { records, rejected } = this.counts;
    return { ...this.counts, records: records + broken, rejected: rejected + broken };
  }

  close(held: HeldRows, readers: Readers): Ended {
    const { asked, lines } = this.kept;
    const left = this.left();
    // A line that could not be opened is one record, and one reject, whatever reads the others.
    const isWhole = this.replay.lines === lines && left.older + left.cut + left.records === 0;
    const { sightings } = held.ending;
    // Where some lines are left, nobody knows which of the counted ones those are.
    const isCounted = left.older + left.cut === 0;
    const format = asked !== "auto" ? this.batch.format : (this.replay.format ?? asked);
    return {
      end: {
        readerVersion: readerVersion(readers),
        pieces: this.pieces.gone().map((piece) => piece.id),
        sightingsStay: isWhole ? [] : isCounted ? keepingNothing(readers) : null,
        whole: isWhole
          ? { counts: this.countsWith(left.broken), format, rulesVersion: this.rulesVersion, only: held.all }
          : null,
      },
      rows: { pieces: this.pieces.replacing(held.ending.pieces), sightings: isCounted ? sightings : [] },
    };
  }
}

/** Formats of which no line is kept, so that none is read again. */
function keepingNothing({ formats }: Readers): string[] {
  return formats.filter((format) => !keepsLines(format)).map((format) => format.name);
}
