import { receiveOtlp } from "@/server/http/vendor/otlp";
import { services } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const POST = (request: Request) => receiveOtlp(request, services);
