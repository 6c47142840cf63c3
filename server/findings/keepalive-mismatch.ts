/** The client keeps idle sockets longer than the server does: it will send on one that the server has just closed. */

import { configChange } from "./change-lines";
import { capital, classLinks, configLink, factsOf, severityOf, sumOf, toll } from "./class-facts";
import type { Check, FindingInput } from "./finding";
import { KNOWN_SETTINGS, numberIn, type Reading, readings } from "./known-settings";
import { winBack } from "./win-back";

const CLASSES = ["transport.stale_keepalive"];
/** What HTTP pools of the usual clients keep when nobody says. */
const LIBRARY_DEFAULT_S = 30;
/** What a server may wait that nobody measured: uvicorn's own default, which OpenSandbox ran with before 0.1.10. */
const SHORTEST_USUAL_S = 5;
/** Share of the server's timeout that leaves room for the way there and for clocks (as the idle-boundary plan advises). */
const SAFE_SHARE = 0.6;

export const keepaliveMismatch: Check = (input) => {
  const facts = factsOf(input, CLASSES);
  const sum = sumOf(facts);
  const met = sum.fatal + sum.absorbed > 0;
  const client = clientExpiry(input, met);
  const server = serverIdle(input);
  const limit = server?.seconds ?? SHORTEST_USUAL_S;
  const mismatch = client !== null && client.seconds >= limit;
  if (!mismatch && !met) return null;
  const safe = Math.max(0.1, Math.floor(limit * SAFE_SHARE * 10) / 10);
  const early = facts
    .flatMap((one) => one.samples)
    .filter((s) => s.fatal && s.idleMs !== null && s.idleMs <= safe * 1000);
  return {
    id: "keepalive-mismatch",
    run: input.run,
    title: mismatch
      ? "The client keeps sockets longer than the server does"
      : "Kept sockets were closed before their reuse",
    severity: severityOf(sum.rollouts, input),
    text: `${capital(toll(sum) ?? "nothing was lost to it yet")}: ${clientText(client)}, ${serverText(server, mismatch)}.`,
    rolloutsAffected: sum.rollouts,
    winBack: winBack(Math.max(0, sum.rollouts - early.length), sum.rollouts, input),
    evidence: [...classLinks(input, CLASSES), configLink(input)],
    change: mismatch ? configChange([{ id: "keepaliveExpiry", before: client.reading, after: safe }]) : null,
    canaryPlan:
      server === null || !mismatch
        ? { plan: "idle-boundary", options: {} }
        : { plan: "idle-gap", options: { transport: { profile: "bounded", keepaliveExpiryS: safe } } },
  };
};

interface ClientExpiry {
  seconds: number;
  /** null: nobody set it. */
  reading: Reading | null;
}

/** The longest that any rollout keeps a socket; null when nothing tells that an HTTP pool is in use. */
function clientExpiry(input: FindingInput, met: boolean): ClientExpiry | null {
  const all = readings(input.config, "keepaliveExpiry").map((reading) => ({
    seconds: typeof reading.value === "number" ? reading.value : LIBRARY_DEFAULT_S,
    reading,
  }));
  const longest = all.sort((a, b) => b.seconds - a.seconds)[0];
  if (longest) return longest;
  const paths = [...Object.keys(input.config.common), ...Object.keys(input.config.varying)];
  const pooled = paths.some((path) => /(^|\.)(connection|transport_backend)(\.|$)/.test(path));
  return met || pooled ? { seconds: LIBRARY_DEFAULT_S, reading: null } : null;
}

function serverIdle(input: FindingInput): { seconds: number; how: string } | null {
  if (input.measuredIdleS !== null) return { seconds: input.measuredIdleS, how: "measured by a canary" };
  const given = numberIn(input.config, "serverIdleTimeout");
  return given === null ? null : { seconds: given, how: `${KNOWN_SETTINGS.serverIdleTimeout.writeAs} as given` };
}

function clientText(client: ClientExpiry | null): string {
  if (client === null) return "how long the client keeps idle sockets is not known";
  const why = client.reading === null ? " (its library's default, nobody set it)" : "";
  return `the client keeps idle sockets for ${client.seconds} s${why}`;
}

function serverText(server: { seconds: number; how: string } | null, mismatch: boolean): string {
  if (server === null) {
    return mismatch
      ? "and the server may close them after as little as 5 s (OpenSandbox before 0.1.10; 30 s since): nobody has measured it here"
      : "so something on the way closes them sooner: measure where";
  }
  const closes = `the server closes them after ${server.seconds} s (${server.how})`;
  return mismatch ? closes : `${closes}, so another hop closes them sooner`;
}
