import type { ArchiveBlock } from "./archive";
import type { Fact, Link, Observation, Reject, Sighting } from "./facts";
import type { Piece } from "./pieces";
import type { Ref } from "./refs";
import type { PlannedRollout, RolloutRecord } from "./rollout";

/** What one segment of a delivery adds. `touched` are the refs whose subjects must be derived again. */
export interface FactRows {
  observations: Observation[];
  links: Link[];
  facts: Fact[];
  rollouts: RolloutRecord[];
  planned: PlannedRollout[];
  sightings: Sighting[];
  rejects: Reject[];
  /** Ends of its streams where a record may have been cut in two. */
  pieces?: Piece[];
  /** Lines of this segment; undone with the batch, and where a run or an origin is dropped, with that. */
  archive: ArchiveBlock[];
  /** Records of which no line is kept, less those whose line came in a segment before; default 0. */
  unkept?: number;
  touched: Ref[];
}

export interface BatchCounts {
  bytes: number;
  records: number;
  observations: number;
  rollouts: number;
  routine: number;
  duplicates: number;
  rejected: number;
}
