/** Deleting a canary sandbox and seeing that it is gone. What stays is a leak, and is said. */
import type { OpenSandbox } from "./opensandbox";
import { pause } from "./pause";
import { LEAK } from "./probe";
import { problemOf } from "./problem";
import type { StepLog } from "./steps";

const TRIES = 3;
const RETRY_MS = 500;
const LOOK_MS = 250;
const GONE_STATES = new Set(["Terminated", "Stopping"]);

/** Deletes until the server no longer knows it, within `goneWithinMs`. A delete changes nothing twice, so it may be tried again. */
export async function removeSandbox(
  client: OpenSandbox,
  id: string,
  log: StepLog,
  goneWithinMs: number,
): Promise<boolean> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const accepted = await log.run("delete", async () => {
      const { answer, gone } = await client.remove(id);
      if (!gone) return { record: answer.record, problem: problemOf(answer) };
      const stays = answer.record.status !== 404 && !(await isGone(client, id, goneWithinMs));
      const problem = { code: LEAK, message: `sandbox ${id} is still there ${goneWithinMs / 1000} s after its delete` };
      return { record: answer.record, problem: stays ? problem : null };
    });
    if (accepted) return true;
    if (log.steps.at(-1)?.problem?.code === LEAK) return false;
    if (tries < TRIES) await pause(RETRY_MS * tries);
  }
  return false;
}

/** Sandboxes of one cycle whose create never answered; none when the server does not say. */
export async function searchLost(client: OpenSandbox, cycle: string): Promise<string[]> {
  const found = await client.list({ "coalmine-cycle": cycle });
  return (found ?? []).map((one) => one.id);
}

async function isGone(client: OpenSandbox, id: string, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  for (;;) {
    const { answer, state } = await client.state(id);
    if (answer.record.status === 404 || (state !== null && GONE_STATES.has(state))) return true;
    if (Date.now() > until) return false;
    await pause(LOOK_MS);
  }
}
