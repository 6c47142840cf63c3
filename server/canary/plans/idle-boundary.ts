/** After how long the server, and what stands before the sandboxes, end an idle connection; and what to set clients to. */
import { z } from "zod";
import { percent, plural } from "@/server/stats/percent";
import type { Endpoint } from "../endpoint";
import { type Boundary, findIdleBoundary } from "../idle-boundary";
import { RUN_FIELDS, SETUP_FIELDS } from "../setup";
import type { Target } from "../target";
import { definePlan, type Emit, type PlanContext } from "./plan";

const PATHS = ["lifecycle", "proxy", "gateway"] as const;
type Path = (typeof PATHS)[number];

const optionsSchema = z.strictObject({
  ...SETUP_FIELDS,
  ...RUN_FIELDS,
  limitS: z.number().min(1).max(900).default(75).describe("Seconds watched at most."),
  sockets: z.number().int().min(1).max(10).default(3).describe("Sockets watched on each path."),
  paths: z
    .array(z.enum(PATHS))
    .min(1)
    .max(3)
    .optional()
    .describe(
      "lifecycle: the API; proxy: through the server to a sandbox; gateway: by the address that a lookup gives.",
    ),
  runGapsS: z
    .array(z.number().min(0))
    .max(100_000)
    .default([])
    .describe("Idle gaps of a real run in seconds, to say what share of them is in danger."),
});
type Options = z.infer<typeof optionsSchema>;

interface PathResult extends Omit<Boundary, "probes"> {
  path: Path;
}

export const idleBoundary = definePlan<Options>({
  name: "idle-boundary",
  title: "After how long does the server end an idle connection, and what should clients be set to?",
  optionsSchema,
  // Watching ends 2 s after the boundary, bisecting may take as long again.
  lifetimeS: (options) => Math.ceil(options.limitS * 3 + 60),
  async run(context, options, signal, emit) {
    const paths = options.paths ?? defaultPaths(context.target);
    const watch = (path: Path, endpoint: Endpoint) => watchPath(context, { path, endpoint, options, signal, emit });
    const jobs: Promise<PathResult | null>[] = [];
    if (paths.includes("lifecycle")) jobs.push(watch("lifecycle", context.client().home));
    for (const path of paths) if (path !== "lifecycle") jobs.push(throughSandbox(context, path, watch));
    const found = (await Promise.all(jobs)).filter((one) => one !== null);
    const missing = paths.filter((path) => !found.some((one) => one.path === path));
    const boundaries = found.flatMap((one) => (one.boundaryS === null ? [] : [one.boundaryS]));
    const boundaryS = boundaries.length > 0 ? Math.min(...boundaries) : null;
    const adviceS = boundaryS === null ? null : Math.round(boundaryS * 0.6 * 10) / 10;
    const silent = found.some((one) => one.boundaryS === boundaryS && one.how === "silent");
    const share = boundaryS === null ? null : dangerShare(options.runGapsS, boundaryS, silent);
    const reached = found.some((one) => one.how !== "unreachable");
    return {
      ok: reached ? null : false,
      sentence: `${sentenceOf(found, missing, options.limitS, adviceS)}${shareText(share, options.run)}`,
      trials: null,
      detail: { boundaryS, adviceS, paths: found, missing, runGaps: share },
    };
  },
});

function defaultPaths({ mode }: Target): Path[] {
  return mode === "server-proxy" ? ["lifecycle", "proxy"] : ["lifecycle", "gateway"];
}

interface Watching {
  path: Path;
  endpoint: Endpoint;
  options: Options;
  signal: AbortSignal;
  emit: Emit;
}

async function watchPath(
  context: PlanContext,
  { path, endpoint, options, signal, emit }: Watching,
): Promise<PathResult> {
  const client = context.client();
  const [operation, route] = path === "lifecycle" ? ["health", "/health"] : ["ping", "/ping"];
  const { probes, ...found } = await findIdleBoundary({
    origin: endpoint.origin,
    request: client.requestTo(endpoint, operation, "GET", route),
    sockets: options.sockets,
    limitS: options.limitS,
    signal,
    onProgress: ({ text, elapsedS }) => emit.progress(`${path}: ${text}`, Math.round(elapsedS), options.limitS),
  });
  for (const record of probes) context.probe(record, null, null);
  emit.point({ path, boundaryS: found.boundaryS, how: found.how, seenS: found.seenS });
  return { path, ...found };
}

/** Null when no sandbox could be reached by that path. */
async function throughSandbox(
  context: PlanContext,
  path: Exclude<Path, "lifecycle">,
  watch: (path: Path, endpoint: Endpoint) => Promise<PathResult>,
): Promise<PathResult | null> {
  let found: PathResult | null = null;
  await context.inSandbox(async (session) => {
    const mode = path === "proxy" ? "server-proxy" : "gateway";
    const ready = (await session.waitRunning()) && (await session.locate(mode)) && (await session.waitPing());
    if (ready && session.endpoint) found = await watch(path, session.endpoint);
  });
  return found;
}

/** On its way when the server gives up, a request still meets a closed socket: a slow round trip and the FIN's own way. */
const DANGER_S = 0.3;

/** Gaps around the moment of closing; of a peer that drops in silence, all from there on. */
function dangerShare(gapsS: readonly number[], boundaryS: number, silent: boolean) {
  if (gapsS.length === 0) return null;
  const toS = silent ? Number.POSITIVE_INFINITY : boundaryS + DANGER_S;
  const inDanger = gapsS.filter((gap) => gap >= boundaryS - DANGER_S && gap <= toS).length;
  return { n: gapsS.length, inDanger, share: inDanger / gapsS.length };
}

/** ` 12 of 480 idle gaps of exp-7 (2.5 %) fall into the danger window.`, or nothing. */
function shareText(share: ReturnType<typeof dangerShare>, run = "the run"): string {
  if (share === null) return "";
  const of = `${share.inDanger} of ${plural(share.n, "idle gap")} of ${run}`;
  return ` ${of} (${percent(share.share)}) fall into the danger window.`;
}

function sentenceOf(
  found: readonly PathResult[],
  missing: readonly Path[],
  limitS: number,
  adviceS: number | null,
): string {
  const parts = found.map((one) => {
    if (one.how === "unreachable") return `${one.path}: not reachable`;
    if (one.boundaryS === null) return `${one.path}: still open after ${limitS} s`;
    const how = one.how === "silent" ? "dropped in silence" : one.how === "reset" ? "reset" : "closed by the peer";
    return `${one.path}: ${how} after ${one.boundaryS.toFixed(2)} s (± ${one.precisionS} s)`;
  });
  const none = missing.map((path) => `${path}: no sandbox was reached`);
  const advice = adviceS === null ? "" : ` Set the client's keep-alive expiry to ${adviceS} s or less.`;
  return `Idle connections: ${[...parts, ...none].join("; ")}.${advice}`;
}
