import { type NextRequest, NextResponse } from "next/server";
import { guardPage, isCall, refuseUnreadable } from "@/server/http/guard";
import { isKnownPage, MISSING_HEADER } from "@/server/http/known-page";
import { readSettings } from "@/server/settings";
import { services } from "@/server/wire";

/** Leads to no page, so that Next.js answers 404 with its page for what is not found. */
const NOWHERE = "/not-found";

export async function proxy(request: NextRequest): Promise<Response> {
  if (isCall(request.nextUrl.pathname)) return refuseUnreadable(request.url) ?? NextResponse.next();
  const guarded = guardPage(request, readSettings(process.env), process.env.NODE_ENV === "development");
  if ("answer" in guarded) return guarded.answer;
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(guarded.request)) headers.set(name, value);
  const { pathname } = request.nextUrl;
  const known = await isKnownPage(pathname, services);
  if (known) headers.delete(MISSING_HEADER);
  else headers.set(MISSING_HEADER, pathname);
  const options = { request: { headers } };
  const response = known ? NextResponse.next(options) : NextResponse.rewrite(nowhere(request), options);
  for (const [name, value] of Object.entries(guarded.response)) response.headers.set(name, value);
  return response;
}

/** Next.js' own address of the page, so that it answers itself instead of calling itself. */
function nowhere({ nextUrl }: NextRequest): URL {
  const url = nextUrl.clone();
  url.pathname = NOWHERE;
  return url;
}

// Next.js keeps a copy of the body of whatever comes through here, 10 MB at most: calls that take bodies stay outside and guard themselves.
export const config = {
  matcher: ["/((?!api/|otlp/|loki/|metrics$|_next/static/|favicon\\.ico$|icon).*)", "/(api|otlp|loki)/(.*%.*)"],
};
