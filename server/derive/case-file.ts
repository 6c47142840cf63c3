/** Everything known about one subject: the input of the pure derivation. */
import type { Fact, Link, Observation } from "@/server/domain/facts";
import type { Ref } from "@/server/domain/refs";
import type { RolloutRecord } from "@/server/domain/rollout";

export interface CaseFile {
  subject: Ref;
  /** The subject and every ref that resolves to it. */
  members: Ref[];
  /** Distinct by key, all that are filed under a member at a time when that member was this subject. */
  observations: Observation[];
  links: Link[];
  facts: Fact[];
  /** All attempts of the groups that link to this subject. */
  rollouts: RolloutRecord[];
}
