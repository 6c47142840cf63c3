/** A target and a session against a stand-in, as the engine would make them. */
import { randomUUID } from "node:crypto";
import { OpenSandbox } from "@/server/canary/opensandbox";
import { PROFILES } from "@/server/canary/profile";
import type { SessionContext } from "@/server/canary/session";
import { setupOf } from "@/server/canary/setup";
import { type Target, targetSchema } from "@/server/canary/target";

export const KEY = "key-that-must-not-leak";

export function targetAt(url: string, more: Record<string, unknown> = {}): Target {
  return targetSchema.parse({ name: "here", baseUrl: url, readyDeadlineS: 5, ...more });
}

export function contextOf(
  target: Target,
  more: Partial<SessionContext> = {},
): SessionContext & { done(): Promise<void> } {
  const setup = setupOf(target, { transport: { profile: "bounded" }, metadata: {}, execDeadlineS: 10 });
  const client = new OpenSandbox(target, KEY, PROFILES.bounded);
  return {
    client,
    setup,
    metadata: { "coalmine-cycle": randomUUID() },
    signal: new AbortController().signal,
    goneWithinMs: 600,
    done: () => client.close(),
    ...more,
  };
}
