import { receiveLoki } from "@/server/http/vendor/loki";
import { services } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export const POST = (request: Request) => receiveLoki(request, services);
