/** Letting go of what is older than wanted. JSON shape; times ISO 8601 UTC. */
export interface RetentionAnswer {
  /** Days that are kept; null = all. */
  days: number | null;
  /** What is older goes; null without a retention. */
  before: string | null;
  /** What is older now. A subject goes whole, so that some of it may stay until all of it is older. */
  older: OlderThan | null;
  /** Of runs all of whose evidence is older. */
  runs: string[];
  last: {
    at: string;
    observations: number;
    runs: string[];
    bytesBefore: number | null;
    bytesAfter: number | null;
  } | null;
  /** Why the last sweep ended before its end; the next one tries again. */
  problem: string | null;
  /** False: the file was made by an earlier version and gives no space back to the disk; what is freed is used again. */
  givesSpaceBack: boolean | null;
}

export interface OlderThan {
  observations: number;
  /** Rollouts whose verdicts stand as they are from then on. */
  rollouts: number;
  archiveBlocks: number;
}

export interface RetentionService {
  state(): Promise<RetentionAnswer>;
}
