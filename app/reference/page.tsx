import type { Metadata } from "next";
import { headers } from "next/headers";
import { addressOf } from "@/app/_client/server-address";
import { openApi } from "@/server/http/openapi";
import { ROUTES } from "@/server/http/routes";
import { VERSION } from "@/server/wire";
import { readOpenApi } from "./read-openapi";
import { ReferenceView } from "./reference-view";

export const metadata: Metadata = { title: "API" };

/** The same table that answers the calls, so the page cannot say anything else than what is served. */
export default async function ReferencePage() {
  const address = addressOf(await headers());
  return <ReferenceView reference={readOpenApi(openApi(ROUTES, VERSION))} address={address} />;
}
