/** From request to answer: guard, match, authorise, parse, call, and say what came of it. */
import { RULES_VERSION } from "@/server/classify/classify";
import type { List } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import { identify, requireRole } from "./auth";
import { toCsv, wantsCsv } from "./csv";
import { log } from "./log";
import { allowed, matchPath } from "./match";
import { metrics } from "./metrics";
import { requireOwnHost, requireOwnSite } from "./origin-guard";
import { problemOf, problemResponse } from "./problem";
import { Reply, type Route } from "./route";
import { ROUTES } from "./routes";
import type { HttpServices } from "./services";

const TAXONOMY = { "coalmine-taxonomy": RULES_VERSION };

/** Answers any request under `/api/v1`. Never rejects. */
export async function handle(request: Request, services: HttpServices): Promise<Response> {
  const began = Date.now();
  const seen = { operation: "none" };
  const response = await answer(request, services, seen).catch((error: unknown) => {
    if (problemOf(error).code === "internal") log().error({ err: error, operation: seen.operation }, "a call failed");
    return problemResponse(error, TAXONOMY);
  });
  if (services.classifier) response.headers.set("coalmine-taxonomy", services.classifier.version);
  metrics().calls.inc({ operation: seen.operation, status: response.status });
  metrics().seconds.observe({ operation: seen.operation }, (Date.now() - began) / 1000);
  if (request.method !== "HEAD") return response;
  // A stream that nobody will read is let go.
  await response.body?.cancel();
  return new Response(null, response);
}

/** As `handle`, when the process itself may not have come up: then 503. */
export async function serve(request: Request, open: () => Promise<HttpServices>): Promise<Response> {
  try {
    return await handle(request, await open());
  } catch (error) {
    log().error({ err: error }, "the server did not come up");
    const said = error instanceof CoalmineError ? error.message : "Its log says why.";
    const full = problemOf(error).code === "storage_full";
    return problemResponse(
      new CoalmineError(full ? "storage_full" : "unavailable", `The server did not come up. ${said}`),
      TAXONOMY,
    );
  }
}

async function answer(request: Request, services: HttpServices, seen: { operation: string }): Promise<Response> {
  requireOwnHost(request, services.settings);
  const url = new URL(request.url);
  const match = matchPath(ROUTES, url.pathname);
  if (!match) throw new CoalmineError("not_found", `There is no call ${url.pathname}; see /api/v1/openapi.json.`);
  const allow = allowed(match);
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { ...TAXONOMY, allow } });
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = match.routes.find((one) => one.method === method);
  if (!route) return notAllowed(request.method, allow);
  seen.operation = route.operation;
  requireOwnSite(request, services.settings);
  const now = Date.now();
  const principal = identify(request.headers, services.settings, now);
  requireRole(principal, route.need);
  return respond(
    request,
    route,
    await route.run({ request, url, path: match.path, services, principal, table: ROUTES, now }),
  );
}

/** 405 has no code of its own: the method is what is not supported. */
function notAllowed(method: string, allow: string): Response {
  const problem = problemOf(new CoalmineError("unsupported", `${method} is not one of ${allow}.`));
  const headers = { ...TAXONOMY, allow, "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ ...problem, status: 405 }), { status: 405, headers });
}

function respond(request: Request, route: Route, result: unknown): Response {
  const reply = result instanceof Reply ? result : new Reply(result);
  const headers = {
    ...TAXONOMY,
    "cache-control": "no-store",
    vary: "accept, authorization, cookie",
    ...reply.options.headers,
  };
  const status = reply.options.status ?? 200;
  if (reply.body === undefined) return new Response(null, { status: reply.options.status ?? 204, headers });
  if (reply.body instanceof ReadableStream) return new Response(reply.body, { status, headers });
  if (route.answer.list && wantsCsv(request)) return csv(request, route, reply.body as List<object>, headers);
  return new Response(JSON.stringify(reply.body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** The cursor of the next page goes into a Link header: CSV has no place for it. */
function csv(request: Request, route: Route, list: List<object>, headers: Record<string, string>): Response {
  const all = new Headers({
    ...headers,
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${route.operation}.csv"`,
  });
  if (list.next !== null) {
    const next = new URL(request.url);
    next.searchParams.set("cursor", list.next);
    all.set("link", `<${next.pathname}${next.search}>; rel="next"`);
  }
  return new Response(toCsv(list.items), { headers: all });
}
