/** What a plan is given while it runs: clients and sandboxes within the target's bounds, everything it meets told and kept. */
import { randomUUID } from "node:crypto";
import type { TargetBounds } from "./bounds";
import { type CycleOptions, type CycleResult, inSandbox, runCycle } from "./cycle";
import { cycleLines, type LineSource, probeLine } from "./evidence-lines";
import { OpenSandbox } from "./opensandbox";
import type { PlanContext } from "./plans/plan";
import type { Pods } from "./pods";
import type { ProbeRecord } from "./probe";
import { classifyProbe, type ProbeProblem } from "./probe-evidence";
import type { TransportProfile } from "./profile";
import type { Session, SessionContext } from "./session";
import type { Setup } from "./setup";
import type { Step } from "./steps";
import type { Target } from "./target";

export interface RunServices {
  apiKey: string | null;
  pods?: Pods | null;
  bounds: TargetBounds;
  source: LineSource;
  /** Written on every sandbox, so that it is found again whatever becomes of us. */
  metadata: Record<string, string>;
  signal: AbortSignal;
  /** Cycles that are going on: their sandboxes are not leftovers. */
  active: Set<string>;
  onStep(cycle: string, step: Step): void;
  onCycle(cycle: CycleResult): void;
  onEvidence(lines: string[]): void;
  goneWithinMs?: number;
}

export class RunContext implements PlanContext {
  private shared: OpenSandbox | null = null;

  constructor(
    readonly target: Target,
    readonly setup: Setup,
    private readonly services: RunServices,
    private readonly opened: OpenSandbox[] = [],
  ) {}

  client(profile: TransportProfile = this.setup.profile): OpenSandbox {
    const client = new OpenSandbox(this.target, this.services.apiKey, profile);
    this.opened.push(client);
    return client;
  }

  inSandbox(use: (session: Session) => Promise<void>): Promise<CycleResult> {
    return this.placed((context) => inSandbox(context, use));
  }

  cycle(options: CycleOptions): Promise<CycleResult> {
    return this.placed((context) => runCycle(context, options));
  }

  async inPlace<T>(act: () => Promise<T>): Promise<T | undefined> {
    const { sockets } = this.services.bounds;
    if (!(await sockets.take(this.services.signal))) return undefined;
    try {
      return await act();
    } finally {
      sockets.give();
    }
  }

  probe(record: ProbeRecord, problem: ProbeProblem | null, sandbox: string | null): string | null {
    const ok = problem === null && record.code === null;
    const found = ok ? null : classifyProbe(record, problem, null);
    if (!ok) {
      const where = { cycle: null, sandbox, node: null };
      this.services.onEvidence([probeLine(this.services.source, { ...where, ok, record, problem })]);
    }
    return found?.class ?? null;
  }

  backOff(ms: number): void {
    this.services.bounds.creates.backOff(ms);
  }

  with(setup: Setup): PlanContext {
    return new RunContext(this.target, setup, this.services, this.opened);
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((client) => client.close()));
  }

  /** Without a place in time the session sees that it is cancelled and makes nothing. */
  private async placed(run: (context: SessionContext) => Promise<CycleResult>): Promise<CycleResult> {
    const { bounds, signal, active } = this.services;
    const id = randomUUID();
    const held = await bounds.places.take(signal);
    try {
      await bounds.creates.take(signal);
      active.add(id);
      const result = await run(this.sessionContext(id));
      this.services.onEvidence(cycleLines(this.services.source, result));
      this.services.onCycle(result);
      return result;
    } finally {
      active.delete(id);
      if (held) bounds.places.give();
    }
  }

  private sessionContext(id: string): SessionContext {
    const { metadata, signal, goneWithinMs, pods } = this.services;
    // Sandboxes of one run share the client, so that its connections are kept as the profile says.
    this.shared ??= this.client();
    return {
      client: this.shared,
      setup: this.setup,
      metadata: { ...metadata, "coalmine-cycle": id },
      signal,
      pods,
      onStep: (step) => this.services.onStep(id, step),
      goneWithinMs,
    };
  }
}
