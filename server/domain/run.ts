import type { FlatConfig } from "./rollout";

/** What a person or a harness said about a run (`PUT /runs/{run}`); everything else is derived. */
export interface RunSettings {
  id: string;
  name: string | null;
  planned: number | null;
  config: FlatConfig;
  notes: string | null;
  labels: Record<string, string>;
  /** Run labels that count as this run (each Ray worker makes its own). */
  aliases: string[];
  /** Reward from which a rollout without the producer's own boolean passed; default 1. */
  passAt: number;
  /** Said to have ended, epoch ms. */
  endedAt: number | null;
  updatedAt: number;
}

/** One run label as the facts know it. */
export interface RunFacts {
  run: string;
  origin: "fleet" | "canary" | "demo";
  rollouts: number;
  planned: number;
  firstAt: number | null;
  lastAt: number | null;
  /** Epoch ms of the newest delivery about it. */
  receivedAt: number | null;
}
