import { type NextRequest, NextResponse } from "next/server";
import { guardedPage } from "@/app/guarded-page";
import { isCall, refuseUnreadable } from "@/server/http/guard";

export async function proxy(request: NextRequest): Promise<Response> {
  if (isCall(request.nextUrl.pathname)) return refuseUnreadable(request.url) ?? NextResponse.next();
  return guardedPage(request);
}

// Next.js keeps a copy of the body of whatever comes through here, 10 MB at most: calls that take bodies stay outside and guard themselves.
export const config = {
  matcher: ["/((?!api/|otlp/|loki/|metrics$|_next/static/|favicon\\.ico$|icon).*)", "/(api|otlp|loki)/(.*%.*)"],
};
