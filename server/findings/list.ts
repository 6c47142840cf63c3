/** All findings. A new one is one file and one line here. */
import { badNode } from "./bad-node";
import { capacity } from "./capacity";
import { commandRetries } from "./command-retries";
import { createRace } from "./create-race";
import { createTimeout } from "./create-timeout";
import { effectiveNotRequested } from "./effective-not-requested";
import { type Check, type Finding, type FindingInput, SEVERITIES } from "./finding";
import { imagePulls } from "./image-pulls";
import { keepaliveMismatch } from "./keepalive-mismatch";
import { leaks } from "./leaks";
import { memoryLimit } from "./memory-limit";
import { missingRollouts } from "./missing-rollouts";
import { requestsEqualLimits } from "./requests-equal-limits";
import { runAttribution } from "./run-attribution";
import { runNotValid } from "./run-not-valid";
import { serverPoolExhausted } from "./server-pool-exhausted";
import { transportFallback } from "./transport-fallback";
import { unattributedShare } from "./unattributed-share";
import { unknownShare } from "./unknown-share";

export const CHECKS: readonly Check[] = [
  runNotValid,
  memoryLimit,
  keepaliveMismatch,
  createRace,
  badNode,
  serverPoolExhausted,
  capacity,
  imagePulls,
  effectiveNotRequested,
  missingRollouts,
  unknownShare,
  requestsEqualLimits,
  commandRetries,
  createTimeout,
  transportFallback,
  runAttribution,
  leaks,
  unattributedShare,
];

/** What is to be said of a run: worst first, then by what a change brings back, then by rollouts affected. Pure. */
export function findingsOf(input: FindingInput): Finding[] {
  return inOrder(CHECKS.map((check) => check(input)).filter((found) => found !== null));
}

export function inOrder(findings: readonly Finding[]): Finding[] {
  const rank = (finding: Finding): number => SEVERITIES.indexOf(finding.severity);
  const back = (finding: Finding): number => finding.winBack?.rollouts.estimate ?? 0;
  return [...findings].sort(
    (a, b) => rank(a) - rank(b) || back(b) - back(a) || b.rolloutsAffected - a.rolloutsAffected,
  );
}
