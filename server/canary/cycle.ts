/** One cycle: create → ready → exec ×N with idle gaps → inspect → delete. The delete is always tried. */
import { randomBytes } from "node:crypto";
import type { Inspected } from "./inspect-text";
import type { Endpoint, OpenSandbox } from "./opensandbox";
import type { ProbeRecord } from "./probe";
import { classifyProbe, type ProbeProblem } from "./probe-evidence";
import type { Target } from "./target";

export const STEP_NAMES = ["create", "ready", "endpoint", "ping", "idle", "exec", "inspect", "delete"] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface Step {
  name: StepName;
  /** Epoch ms. */
  startedAt: number;
  ms: number;
  ok: boolean;
  record: ProbeRecord | null;
  problem: ProbeProblem | null;
  class: string | null;
  rule: string | null;
}

export interface CycleOptions {
  /** Wait for Running and for /ping before the first command. */
  healthCheck: boolean;
  /** Idle ms before each command; its length is the number of commands. */
  gapsMs: number[];
  /** Given the nonce that must come back. */
  command?: (nonce: string) => string;
  execDeadlineMs: number;
  limits?: Record<string, string>;
  requests?: Record<string, string>;
  metadata: Record<string, string>;
}

export interface CycleResult {
  sandbox: string | null;
  node: string | null;
  inspected: Inspected | null;
  startedAt: number;
  ms: number;
  steps: Step[];
  /** Every step that is the target's went well. */
  ok: boolean;
  /** Left out of rates: our own trouble was in it. */
  ownFault: boolean;
  cancelled: boolean;
  /** A sandbox was made and its delete was not confirmed. */
  leaked: boolean;
}

/** What a step's doing returns: its probe, and what was wrong, if anything. */
interface Done {
  record: ProbeRecord | null;
  problem?: ProbeProblem | null;
}

export class Cycle {
  private readonly steps: Step[] = [];
  private readonly startedAt = Date.now();
  private sandbox: string | null = null;
  private createdAt: number | null = null;
  private inspected: Inspected | null = null;
  private deleted = false;

  constructor(
    private readonly client: OpenSandbox,
    private readonly target: Target,
    private readonly options: CycleOptions,
    private readonly signal: AbortSignal,
    private readonly onStep: (step: Step) => void = () => undefined,
  ) {}

  async run(): Promise<CycleResult> {
    try {
      if (await this.create()) await this.use();
    } finally {
      if (this.sandbox !== null) await this.remove(this.sandbox);
    }
    const failed = this.steps.some((step) => !step.ok);
    return {
      sandbox: this.sandbox,
      node: this.inspected?.node ?? null,
      inspected: this.inspected,
      startedAt: this.startedAt,
      ms: Date.now() - this.startedAt,
      steps: this.steps,
      ok: !failed && !this.signal.aborted,
      ownFault: this.steps.some((step) => step.record?.ownFault === true),
      cancelled: this.signal.aborted,
      leaked: this.sandbox !== null && !this.deleted,
    };
  }

  /** Not given the cancel signal: a create in flight must be waited for, or its sandbox would be left behind. */
  private create(): Promise<boolean> {
    return this.step("create", async () => {
      const { limits, requests } = this.target.resources;
      const made = await this.client.create({
        image: this.target.image,
        limits: this.options.limits ?? definedOnly(limits),
        requests: this.options.requests ?? definedOnly(requests),
        timeoutS: this.target.timeoutS,
        metadata: { ...this.target.labels, app: "coalmine-canary", ...this.options.metadata },
        deadlineMs: this.target.createDeadlineS * 1000,
      });
      this.sandbox = made.id;
      this.createdAt = Date.now();
      return {
        record: made.record,
        problem: made.id === null ? (made.problem ?? { code: null, message: "no sandbox id" }) : null,
      };
    });
  }

  private async use(): Promise<void> {
    const id = this.sandbox as string;
    if (this.options.healthCheck && !(await this.waitRunning(id))) return;
    let endpoint: Endpoint | null = null;
    await this.step("endpoint", async () => {
      const found = await this.client.endpoint(id, this.signal);
      endpoint = found.endpoint;
      return {
        record: found.answer.record,
        problem: found.endpoint ? null : bodyProblem(found.answer.body, found.answer.record),
      };
    });
    if (endpoint === null) return;
    if (this.options.healthCheck && !(await this.waitPing(endpoint))) return;
    for (const gap of this.options.gapsMs) {
      if (this.signal.aborted) break;
      if (gap > 0) await this.idle(gap);
      if (!this.signal.aborted) await this.exec(endpoint);
    }
    await this.inspect(id);
  }

  private waitRunning(id: string): Promise<boolean> {
    return this.step("ready", async () => {
      const until = Date.now() + this.target.readyDeadlineS * 1000;
      for (;;) {
        const { answer, state, message } = await this.client.state(id, this.signal);
        if (state === "Running") return { record: answer.record };
        const over = Date.now() > until || state === "Failed" || state === "Terminated" || this.signal.aborted;
        if (over)
          return {
            record: answer.record,
            problem: { code: null, message: message ?? `health check timed out: state is ${state ?? "unknown"}` },
          };
        await pause(200, this.signal);
      }
    });
  }

  private waitPing(endpoint: Endpoint): Promise<boolean> {
    return this.step("ping", async () => {
      const until = Date.now() + this.target.readyDeadlineS * 1000;
      for (;;) {
        const answer = await this.client.ping(endpoint, this.signal);
        if (answer.record.status === 200) return { record: answer.record };
        if (Date.now() > until || this.signal.aborted)
          return { record: answer.record, problem: bodyProblem(answer.body, answer.record) };
        await pause(100, this.signal);
      }
    });
  }

  private exec(endpoint: Endpoint): Promise<boolean> {
    const nonce = randomBytes(8).toString("hex");
    const command = this.options.command?.(nonce) ?? `echo ${nonce}`;
    return this.step("exec", async () => {
      const { record, outcome, answer } = await this.client.exec(endpoint, command, {
        deadlineMs: this.options.execDeadlineMs,
        signal: this.signal,
      });
      if (record.status !== 200) return { record, problem: bodyProblem(answer.body, record) };
      if (outcome.terminal === null)
        return { record, problem: { code: "no_terminal_event", message: "stream ended without a terminal event" } };
      if (outcome.terminal === "error") {
        return {
          record,
          problem: { code: null, message: `${outcome.errorName ?? "error"}: ${outcome.errorValue ?? ""}` },
        };
      }
      const echoed = outcome.stdout.includes(nonce);
      return {
        record,
        problem: echoed ? null : { code: "nonce_missing", message: "the command's own output did not come back" },
      };
    });
  }

  private idle(ms: number): Promise<boolean> {
    return this.step("idle", async () => {
      await pause(ms, this.signal);
      return { record: null };
    });
  }

  /** Node and limits, while the pod is still there. A server without the route is no failure. */
  private async inspect(id: string): Promise<void> {
    await this.step("inspect", async () => {
      const { answer, inspected } = await this.client.inspect(id);
      this.inspected = inspected;
      const tolerated = answer.record.status === 200 || answer.record.status === 404 || answer.record.status === 501;
      return { record: answer.record, problem: tolerated ? null : bodyProblem(answer.body, answer.record) };
    });
  }

  private async remove(id: string): Promise<void> {
    await this.step("delete", async () => {
      const { answer, gone } = await this.client.remove(id);
      this.deleted = gone;
      return { record: answer.record, problem: gone ? null : bodyProblem(answer.body, answer.record) };
    });
  }

  private async step(name: StepName, act: () => Promise<Done>): Promise<boolean> {
    const startedAt = Date.now();
    const { record, problem = null } = await act();
    const bad = problem !== null || (record !== null && record.code !== null);
    const sinceCreate = this.createdAt === null || record === null ? null : record.startedAt - this.createdAt;
    const found = bad && record ? classifyProbe(record, problem, sinceCreate) : null;
    const step: Step = {
      name,
      startedAt,
      ms: Date.now() - startedAt,
      ok: !bad,
      record,
      problem: problem ?? (record?.code ? { code: record.code, message: record.message } : null),
      class: found?.class ?? null,
      rule: found?.rule ?? null,
    };
    this.steps.push(step);
    this.onStep(step);
    return step.ok;
  }
}

/** Code and message of an error body, or the transport's own. */
function bodyProblem(body: string, record: ProbeRecord): ProbeProblem {
  try {
    const value = JSON.parse(body) as { code?: unknown; message?: unknown; detail?: unknown };
    const message = value.message ?? value.detail;
    return {
      code: typeof value.code === "string" ? value.code : record.code,
      message: typeof message === "string" ? message : body.slice(0, 500),
    };
  } catch {
    return { code: record.code, message: body === "" ? record.message : body.slice(0, 500) };
  }
}

function definedOnly(map: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });
}
