/** `GET /nodes`: a node with what the permutation test over all nodes says of it (statistics.md §2). */
import type { NodeAnswer } from "./answers";

export const NODE_VERDICTS = ["suspect", "watch", "ok", "too_little_data"] as const;

export interface NodeJudgement {
  /** How often chance alone gives a node like this at least as many failures; null for a node without finished rollouts. */
  p: number | null;
  /** `p` corrected over all nodes of the window. */
  q: number | null;
  verdict: (typeof NODE_VERDICTS)[number] | null;
  reason: string | null;
  sentence: string | null;
}

export interface JudgedNode extends NodeAnswer, NodeJudgement {}

export interface JudgedNodes {
  items: JudgedNode[];
  next: string | null;
  /** So many nodes stand out that it is no node's fault. */
  fleetWide: boolean;
  sentence: string;
  /** The nodes are still being tested, or, without any, counted: ask again. */
  pending?: boolean;
}
