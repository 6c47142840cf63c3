/** Looks after what is left on every target: at the start, when a dead engine's lease runs out, and each minute. */
import type { LeftoverAnswer } from "@/server/domain/canary";
import type { Leases } from "./leases";
import { listLeftovers, type Owner, type Swept, sweep } from "./leftovers";
import { OpenSandbox } from "./opensandbox";
import { PROFILES } from "./profile";
import type { Target } from "./target";

export interface JanitorOptions {
  targets: readonly Target[];
  keyOf(target: Target): string | null;
  leases: Leases;
  active: ReadonlySet<string>;
  runLabel: string;
  onSwept?(target: string, swept: Swept): void;
  sweepEveryMs?: number;
  graceMs?: number;
  goneWithinMs: number;
}

export class Janitor {
  private installation = "";
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly options: JanitorOptions) {}

  start(installation: string): void {
    this.installation = installation;
    const { sweepEveryMs = 60_000, leases } = this.options;
    void this.sweepAll();
    // The lease of an engine that was killed a moment ago runs out a little later.
    this.timers.push(setTimeout(() => void this.sweepAll(), leases.leaseMs + 1_000).unref());
    this.timers.push(setInterval(() => void this.sweepAll(), sweepEveryMs).unref());
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** Throws `unavailable` when the target does not answer. */
  leftovers(target: Target, run: string | null): Promise<LeftoverAnswer[]> {
    const query = { run, runLabel: this.options.runLabel };
    return this.asking(target, (client) => listLeftovers(client, target, query, this.owner));
  }

  private async sweepAll(): Promise<void> {
    await Promise.all(
      this.options.targets.map(async (target) => {
        const swept = await this.asking(target, (client) => sweep(client, this.owner));
        if (swept) this.options.onSwept?.(target.name, swept);
      }),
    );
  }

  private get owner(): Owner {
    const { leases, active, graceMs = 60_000, goneWithinMs } = this.options;
    return { installation: this.installation, leases, active, graceMs, goneWithinMs };
  }

  private async asking<T>(target: Target, ask: (client: OpenSandbox) => Promise<T>): Promise<T> {
    const client = new OpenSandbox(target, this.options.keyOf(target), PROFILES.bounded);
    try {
      return await ask(client);
    } finally {
      await client.close();
    }
  }
}
