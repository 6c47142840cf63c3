import { serveMetrics } from "@/server/http/serve-metrics";
import { services } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const GET = (request: Request) => serveMetrics(request, services);
