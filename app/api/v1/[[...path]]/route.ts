import { serve } from "@/server/http/handle";
import { services } from "@/server/wire";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const answer = (request: Request) => serve(request, services);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
