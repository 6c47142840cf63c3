import { type NextRequest, NextResponse } from "next/server";
import { guardPage } from "@/server/http/guard";
import { isKnownPage } from "@/server/http/known-page";
import { readSettings } from "@/server/settings";
import { services } from "@/server/wire";

/** Leads to no page, so that Next.js answers 404 with its page for what is not found. */
const NOWHERE = "/not-found";

/** A page for whom may see it, with the headers that it and its answer need; 404 where what it is about is not there. */
export async function guardedPage(request: NextRequest): Promise<Response> {
  const guarded = guardPage(request, readSettings(process.env), process.env.NODE_ENV === "development");
  if ("answer" in guarded) return guarded.answer;
  const known = await isKnownPage(request.nextUrl.pathname, services);
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(guarded.request)) headers.set(name, value);
  const given = { request: { headers } };
  const response = known ? NextResponse.next(given) : NextResponse.rewrite(nowhere(request), given);
  for (const [name, value] of Object.entries(guarded.response)) response.headers.set(name, value);
  return response;
}

/** Next.js' own address of the page, so that it answers itself instead of calling itself. */
function nowhere({ nextUrl }: NextRequest): URL {
  const url = nextUrl.clone();
  url.pathname = NOWHERE;
  return url;
}
