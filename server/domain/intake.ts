/** What is coming in just now, and whom the server asked to come again later. JSON shape; times ISO 8601 UTC. */
import type { UploadUsage } from "./upload";

export interface SlowedSource {
  source: string;
  /** Deliveries of the last hour that were answered `busy` for its rate. */
  refused: number;
  lastRefusedAt: string;
  /** When it may send again, in seconds; 0 = now. */
  retryAfterS: number;
}

export interface Intake {
  deliveries: {
    underWay: number;
    most: number;
    /** Answered `busy` since the start because so many were under way. */
    refused: number;
  };
  uploads: UploadUsage | null;
  /** Bytes that each source may send a minute; null = any. */
  sourceBytesPerMinute: number | null;
  /** Sources that were over it within the last hour, latest first. */
  slowed: SlowedSource[];
}
