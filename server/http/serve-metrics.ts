/** `/metrics` at the root, where Prometheus looks; needs the role viewer once there are tokens. */
import { identify, requireRole } from "./auth";
import { log } from "./log";
import { metricsText } from "./metrics";
import { requireOwnHost } from "./origin-guard";
import { problemOf, problemResponse } from "./problem";
import type { HttpServices } from "./services";

/** Never rejects. */
export async function serveMetrics(request: Request, open: () => Promise<HttpServices>): Promise<Response> {
  try {
    const { settings, store, intake } = await open();
    requireOwnHost(request, settings);
    requireRole(identify(request.headers, settings, Date.now()), "viewer");
    const { text, type } = await metricsText(store, intake?.());
    return new Response(text, { headers: { "content-type": type, "cache-control": "no-store" } });
  } catch (error) {
    if (problemOf(error).code === "internal") log().error({ err: error }, "metrics failed");
    return problemResponse(error);
  }
}
