/** The life of one canary sandbox: made, found, used by a plan, looked at, and deleted whatever happened between. */
import { randomBytes } from "node:crypto";
import type { Endpoint } from "./endpoint";
import type { ExecOutcome } from "./exec-stream";
import type { Inspected } from "./inspect-text";
import type { OpenSandbox } from "./opensandbox";
import { pause } from "./pause";
import type { Pods } from "./pods";
import { type Answer, NO_TERMINAL_EVENT, NONCE_MISSING, type ProbeRecord } from "./probe";
import type { ProbeProblem } from "./probe-evidence";
import { problemOf } from "./problem";
import { removeSandbox, searchLost } from "./remove";
import type { Setup } from "./setup";
import { type Step, StepLog } from "./steps";
import type { Target } from "./target";

export interface SessionContext {
  client: OpenSandbox;
  setup: Setup;
  /** Written on the sandbox beside the setup's: who made it, so that it can be found again. `coalmine-cycle` names this session. */
  metadata: Record<string, string> & { "coalmine-cycle": string };
  signal: AbortSignal;
  /** Asked for the pod where the sandbox server does not tell of it. */
  pods?: Pods | null;
  onStep?: (step: Step) => void;
  /** Milliseconds until a deleted sandbox must be gone (default 15 000). */
  goneWithinMs?: number;
}

export interface Executed {
  ok: boolean;
  record: ProbeRecord;
  outcome: ExecOutcome;
}

export class Session {
  readonly log: StepLog;
  readonly startedAt = Date.now();
  sandbox: string | null = null;
  endpoint: Endpoint | null = null;
  inspected: Inspected | null = null;
  /** Of a create that was refused with it, in seconds. */
  retryAfterS: number | null = null;
  /** Sandboxes of this session that are still there. */
  left: string[] = [];
  private mayExist = false;

  constructor(readonly context: SessionContext) {
    this.log = new StepLog(context.onStep ?? (() => undefined));
  }

  /** Not given the cancel signal: a create in flight must be waited for, or its sandbox would be left behind. */
  create(): Promise<boolean> {
    const { client, setup, metadata } = this.context;
    return this.log.run("create", async () => {
      const made = await client.create({
        image: setup.image,
        limits: setup.limits,
        requests: setup.requests,
        timeoutS: setup.timeoutS,
        metadata: { ...setup.metadata, ...metadata, app: "coalmine-canary" },
        deadlineMs: setup.createDeadlineMs,
      });
      this.sandbox = made.id;
      this.retryAfterS = made.retryAfterS;
      this.mayExist = made.mayExist;
      if (made.id !== null) this.log.createdAt = Date.now();
      const problem =
        made.id === null ? (made.problem ?? { code: null, message: "the answer has no sandbox id" }) : null;
      return { record: made.record, problem };
    });
  }

  /** Waits until the server says Running; false when it says otherwise or the ready deadline passes. */
  waitRunning(): Promise<boolean> {
    const { client, setup, signal } = this.context;
    return this.log.run("ready", async () => {
      const until = Date.now() + setup.readyDeadlineMs;
      for (;;) {
        const { answer, state, message } = await client.state(this.id, signal);
        if (state === "Running") return { record: answer.record };
        if (state === "Failed" || state === "Terminated") {
          return { record: answer.record, problem: { code: "ENDED", message: await this.whyEnded(message ?? state) } };
        }
        if (Date.now() > until || signal.aborted) {
          const waited = { code: null, message: `Sandbox health check timed out: state is ${state ?? "unknown"}` };
          return { record: answer.record, problem: state === null ? problemOf(answer) : waited };
        }
        await pause(200, signal);
      }
    });
  }

  /** Asks where the exec daemon answers. */
  locate(mode?: Target["mode"]): Promise<boolean> {
    const { client, signal } = this.context;
    return this.log.run("endpoint", async () => {
      const { answer, endpoint } = await client.endpoint(this.id, signal, mode);
      this.endpoint = endpoint;
      return { record: answer.record, problem: endpoint ? null : problemOf(answer) };
    });
  }

  /** Asks the exec daemon until it answers; false when the ready deadline passes. */
  waitPing(): Promise<boolean> {
    const { setup, signal } = this.context;
    return this.log.run("ping", async () => {
      const until = Date.now() + setup.readyDeadlineMs;
      for (;;) {
        const answer = await this.askPing();
        if (answer.record.status === 200) return { record: answer.record };
        if (Date.now() > until || signal.aborted) return { record: answer.record, problem: problemOf(answer) };
        await pause(100, signal);
      }
    });
  }

  /** One ping, as a step of its own. */
  ping(): Promise<boolean> {
    return this.log.run("ping", async () => {
      const answer = await this.askPing();
      return { record: answer.record, problem: answer.record.status === 200 ? null : problemOf(answer) };
    });
  }

  /** One ping that is no step: for asking many times in a row. */
  peek(): Promise<Answer> {
    return this.askPing();
  }

  /** Runs a command, by default one that says a fresh nonce; the nonce must come back. */
  async exec(command?: (nonce: string) => string): Promise<Executed> {
    const { client, setup, signal } = this.context;
    const nonce = randomBytes(8).toString("hex");
    let made: { record: ProbeRecord; outcome: ExecOutcome; answer: Answer } | null = null;
    const ok = await this.log.run("exec", async () => {
      const text = command?.(nonce) ?? `echo ${nonce}`;
      made = await client.exec(this.at, text, { deadlineMs: setup.execDeadlineMs, signal });
      return { record: made.record, problem: execProblem(made, nonce) };
    });
    const { record, outcome } = made as unknown as Executed;
    return { ok, record, outcome };
  }

  idle(ms: number): Promise<boolean> {
    return this.log.run("idle", async () => {
      await pause(ms, this.context.signal);
      return { record: null };
    });
  }

  /** Node and limits, while the pod is still there. A server without the route is no failure. */
  inspect(): Promise<boolean> {
    const { client } = this.context;
    return this.log.run("inspect", async () => {
      const { answer, inspected } = await client.inspect(this.id);
      const told = inspected?.node ? inspected : ((await this.context.pods?.find(this.id)) ?? inspected);
      this.inspected = told ?? this.inspected;
      const tolerated = [200, 404, 501].includes(answer.record.status ?? 0);
      return { record: answer.record, problem: tolerated ? null : problemOf(answer) };
    });
  }

  /** Looks once more and deletes; also finds what a create without an answer may have made. Never throws. */
  async end(): Promise<void> {
    const { client, metadata, goneWithinMs = 15_000 } = this.context;
    if (this.sandbox !== null && this.inspected === null && !this.context.signal.aborted) await this.inspect();
    const lost = this.mayExist ? await searchLost(client, metadata["coalmine-cycle"]) : [];
    for (const id of this.sandbox === null ? lost : [this.sandbox, ...lost]) {
      if (!(await removeSandbox(client, id, this.log, goneWithinMs))) this.left.push(id);
    }
  }

  /** Servers leave the reason out of the state's message when the sandbox had been running; the pod still knows. */
  private async whyEnded(message: string): Promise<string> {
    const { inspected } = await this.context.client.inspect(this.id);
    this.inspected = inspected ?? this.inspected;
    return inspected?.lastState ? `${message}; last state: Terminated (${inspected.lastState})` : message;
  }

  private askPing(): Promise<Answer> {
    return this.context.client.ping(this.at, this.context.signal);
  }

  private get id(): string {
    if (this.sandbox === null) throw new Error("no sandbox was made");
    return this.sandbox;
  }

  private get at(): Endpoint {
    if (this.endpoint === null) throw new Error("the sandbox was not located");
    return this.endpoint;
  }
}

function execProblem(
  made: { record: ProbeRecord; outcome: ExecOutcome; answer: Answer },
  nonce: string,
): ProbeProblem | null {
  const { record, outcome, answer } = made;
  // A cut after the terminal event lost nothing.
  if (record.status !== 200) return problemOf(answer);
  if (outcome.terminal === null) {
    if (record.code !== null) return { code: record.code, message: record.message };
    return { code: NO_TERMINAL_EVENT, message: "the stream ended without a terminal event" };
  }
  if (outcome.terminal === "error") {
    const exec = { name: outcome.errorName ?? "error", value: outcome.errorValue ?? "" };
    return { code: null, message: `${exec.name}: ${exec.value}`, exec };
  }
  if (outcome.stdout.includes(nonce)) return null;
  return { code: NONCE_MISSING, message: "the command's own output did not come back" };
}
