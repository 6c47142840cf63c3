/** One cycle: create → ready → exec ×N with idle gaps → inspect → delete. The delete is always tried. */
import type { Inspected } from "./inspect-text";
import { Session, type SessionContext } from "./session";
import type { Step } from "./steps";

export interface CycleOptions {
  /** Wait for Running and for /ping before the first command. */
  healthCheck: boolean;
  /** Idle ms before each command; its length is the number of commands. */
  gapsMs: readonly number[];
}

export interface CycleResult {
  /** As in the sandbox's metadata `coalmine-cycle`. */
  id: string;
  sandbox: string | null;
  node: string | null;
  inspected: Inspected | null;
  /** Epoch ms. */
  startedAt: number;
  ms: number;
  steps: Step[];
  /** Every step went well. */
  ok: boolean;
  /** First failed step and its class. */
  failed: { step: Step["name"]; class: string | null; message: string | null } | null;
  /** Left out of rates: our own trouble was in it. */
  ownFault: boolean;
  cancelled: boolean;
  /** Sandboxes that were made and whose end was not confirmed. */
  left: string[];
  /** Of a refused create, in seconds. */
  retryAfterS: number | null;
}

/** Runs one cycle. Never throws for what the target does. */
export function runCycle(context: SessionContext, options: CycleOptions): Promise<CycleResult> {
  return inSandbox(context, async (session) => {
    if (options.healthCheck && !(await session.waitRunning())) return;
    if (!(await session.locate())) return;
    if (options.healthCheck && !(await session.waitPing())) return;
    for (const gap of options.gapsMs) {
      if (context.signal.aborted) return;
      if (gap > 0) await session.idle(gap);
      if (!context.signal.aborted) await session.exec();
    }
  });
}

/** Makes a sandbox, lets `use` work with it, and deletes it whatever happened. */
export async function inSandbox(
  context: SessionContext,
  use: (session: Session) => Promise<void>,
): Promise<CycleResult> {
  const session = new Session(context);
  try {
    if (!context.signal.aborted && (await session.create()) && !context.signal.aborted) await use(session);
  } finally {
    await session.end();
  }
  return resultOf(session);
}

function resultOf(session: Session): CycleResult {
  const { context, log } = session;
  const first = log.failures[0];
  return {
    id: context.metadata["coalmine-cycle"],
    sandbox: session.sandbox,
    node: session.inspected?.node ?? null,
    inspected: session.inspected,
    startedAt: session.startedAt,
    ms: Date.now() - session.startedAt,
    steps: log.steps,
    ok: first === undefined && !context.signal.aborted,
    failed: first ? { step: first.name, class: first.class, message: first.problem?.message ?? null } : null,
    ownFault: log.steps.some((step) => step.record?.ownFault === true && step.record.code !== "CANCELLED"),
    cancelled: context.signal.aborted,
    left: session.left,
    retryAfterS: session.retryAfterS,
  };
}
