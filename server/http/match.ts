/** Finds the call that a path names. Pure. */
import { CoalmineError } from "@/server/domain/errors";
import type { Route } from "./route";

export const API_PREFIX = "/api/v1";

export interface Match {
  /** All calls of this path, one a method. */
  routes: Route[];
  path: Record<string, string>;
}

/** `pathname` as it came, still percent-encoded. Null when no call has this path. Throws `invalid` for bad encoding. */
export function matchPath(table: readonly Route[], pathname: string): Match | null {
  if (!pathname.startsWith(`${API_PREFIX}/`)) return null;
  const parts = pathname
    .slice(API_PREFIX.length + 1)
    .replace(/\/$/, "")
    .split("/");
  const fitting = table.filter((route) => fits(route, parts));
  // A word beats a parameter: `/canaries/targets` is not a canary named targets.
  const fewest = Math.min(...fitting.map(parameters));
  const routes = fitting.filter((route) => parameters(route) === fewest);
  const first = routes[0];
  return first ? { routes, path: valuesOf(first, parts) } : null;
}

/** The methods a path answers, for `Allow`. */
export function allowed(match: Match): string {
  const methods = new Set(match.routes.map((route) => route.method as string));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods, "OPTIONS"].sort().join(", ");
}

function patternOf(route: Route): string[] {
  return route.path.slice(1).split("/");
}

function parameters(route: Route): number {
  return patternOf(route).filter((part) => part.startsWith("{")).length;
}

function fits(route: Route, parts: readonly string[]): boolean {
  const pattern = patternOf(route);
  return (
    pattern.length === parts.length &&
    pattern.every((part, i) => (part.startsWith("{") ? parts[i] !== "" : part === parts[i]))
  );
}

function valuesOf(route: Route, parts: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  patternOf(route).forEach((part, i) => {
    if (part.startsWith("{")) values[part.slice(1, -1)] = decode(part.slice(1, -1), parts[i] ?? "");
  });
  return values;
}

function decode(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new CoalmineError("invalid", `${name}: is not valid percent-encoding`);
  }
}
