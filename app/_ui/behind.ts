import { type ComponentType, lazy } from "react";

/**
 * A part of a page whose code comes behind the first paint. The server draws it with the page; no tag asks for its code,
 * the page's own code does as soon as it runs, and until then what the server drew stands. It has no place holder of its
 * own: the server would send that first and move the page when the part follows.
 */
export function behind<P extends object>(load: () => Promise<ComponentType<P>>) {
  // Drawing it asks again, and tells.
  if (typeof window !== "undefined") load().catch(() => {});
  return lazy(() => load().then((part) => ({ default: part })));
}
