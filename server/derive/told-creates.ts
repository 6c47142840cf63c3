/**
 * A create that failed stands twice in a server's log: in its own line, which names the sandbox, and in the access line after it, which
 * names none. The first is the sandbox's incident, so the second is none of the server's stream.
 */
import type { Observation } from "@/server/domain/facts";
import { TELLERS_APART_MS } from "./one-operation";

const CREATE_PATH = /\/sandboxes\/?$/;

/** `failures` of a stream without the access lines that a line of `elsewhere` tells in full, one for one, the nearest in time. */
export function withoutToldCreates(
  failures: readonly Observation[],
  elsewhere: readonly Observation[],
): readonly Observation[] {
  const left = elsewhere.filter(isToldCreate);
  if (left.length === 0) return failures;
  return failures.filter((one) => {
    const told = isCreateAnswer(one) ? nearest(one, left) : undefined;
    if (told) left.splice(left.indexOf(told), 1);
    return told === undefined;
  });
}

function isToldCreate({ class: name, evidence }: Observation): boolean {
  return name !== null && evidence.layer === "server" && evidence.kind === "error" && evidence.phase === "create";
}

function isCreateAnswer({ evidence }: Observation): boolean {
  const { layer, kind, method, path = "" } = evidence;
  return layer === "server" && kind === "access" && method === "POST" && CREATE_PATH.test(path);
}

function nearest(answer: Observation, told: readonly Observation[]): Observation | undefined {
  const gapTo = ({ at }: Observation) =>
    at === null || answer.at === null ? Number.POSITIVE_INFINITY : Math.abs(answer.at - at);
  return told
    .filter((one) => gapTo(one) <= TELLERS_APART_MS)
    .sort((a, b) => gapTo(a) - gapTo(b) || (a.key < b.key ? -1 : 1))[0];
}
