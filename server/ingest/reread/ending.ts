/** What is known of a delivery when all of its lines were read again. */
import type { Reading } from "@/server/archive/block-codec";
import type { ArchiveLine } from "@/server/domain/archive";
import type { Batch } from "@/server/domain/batch";
import type { Sighting } from "@/server/domain/facts";
import type { Piece } from "@/server/domain/pieces";
import type { NotAgain } from "@/server/domain/reclassify";
import type { RereadEnd } from "@/server/domain/rereading";
import type { BatchCounts } from "@/server/domain/segment";
import type { Readers } from "../detect-names";
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
  /** Formats that read its lines, before or now. */
  private readonly formats = new Set<string>();

  constructor(
    private readonly batch: Batch,
    private readonly replay: LineReplay,
    private readonly pieces: OldPieces,
    private readonly rulesVersion: string,
  ) {}

  note(lines: readonly ArchiveLine[], readings: readonly (Reading | undefined)[]): void {
    for (const { format } of lines) if (format !== null) this.formats.add(format);
    for (const reading of readings) if (reading?.format) this.formats.add(reading.format);
  }

  count(counts: BatchCounts): void {
    for (const name of Object.keys(this.counts) as (keyof typeof this.counts)[]) this.counts[name] += counts[name];
  }

  left(): Record<NotAgain, number> {
    const records = Math.max(0, this.batch.records - this.replay.records);
    return { ...this.replay.left, records };
  }

  private countsWith(broken: number): typeof this.counts {
    const { records, rejected } = this.counts;
    return { ...this.counts, records: records + broken, rejected: rejected + broken };
  }

  close(asked: string, held: HeldRows, readers: Readers): Ended {
    const left = this.left();
    // A line that could not be opened is one record, and one reject, whatever reads the others.
    const isWhole = this.batch.records === this.replay.records && left.older + left.cut === 0;
    const { sightings } = held.ending;
    // Where some lines are left, nobody knows which of the counted ones those are.
    const isCounted = left.older + left.cut === 0;
    const format = asked !== "auto" ? this.batch.format : (this.replay.format ?? asked);
    return {
      end: {
        readerVersion: readerVersion(readers),
        pieces: this.pieces.gone().map((piece) => piece.id),
        sightings: isWhole ? null : isCounted ? [...this.formats] : [],
        whole: isWhole
          ? { counts: this.countsWith(left.broken), format, rulesVersion: this.rulesVersion, only: held.all }
          : null,
      },
      rows: { pieces: this.pieces.replacing(held.ending.pieces), sightings: isCounted ? sightings : [] },
    };
  }
}
