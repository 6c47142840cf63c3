import { type NextRequest, NextResponse } from "next/server";
import { guardPage } from "@/server/http/guard";
import { readSettings } from "@/server/settings";

export function proxy(request: NextRequest): Response {
  const guarded = guardPage(request, readSettings(process.env), process.env.NODE_ENV === "development");
  if ("answer" in guarded) return guarded.answer;
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(guarded.request)) headers.set(name, value);
  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(guarded.response)) response.headers.set(name, value);
  return response;
}

// Next.js keeps a copy of the body of whatever comes through here, 10 MB at most: calls that take bodies stay outside and guard themselves.
export const config = {
  matcher: ["/((?!api/|otlp/|loki/|metrics$|_next/static/|favicon\\.ico$|icon).*)"],
};
