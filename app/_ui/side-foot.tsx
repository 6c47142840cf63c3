"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ask } from "@/app/_client/questions";
import { bytes } from "./format";
import { PreferencesBar } from "./preferences-bar";
import { SignedIn } from "./signed-in";

/** State of the server in a line, and the reader's choices. */
export function SideFoot() {
  const health = useQuery({ ...ask.health(), staleTime: 60_000 });
  const size = health.data?.storeBytes;
  return (
    <div className="mt-auto flex flex-col gap-2 px-1 text-small text-mut">
      <p className="px-1">
        {health.error && "The store does not answer."}
        {health.data && (size == null ? "" : `Store ${bytes(size)} · `)}
        {health.data && (
          <Link href="/reference/classes" className="rows-link" title={`Rules ${health.data.taxonomy}`}>
            taxonomy {health.data.taxonomy.split("-")[0]}
          </Link>
        )}
        {(health.data?.unsettled ?? 0) > 0 && <span className="block">Still working on what came in.</span>}
      </p>
      <p className="px-1">
        <Link href="/reference" className="rows-link">
          API reference
        </Link>
      </p>
      <SignedIn />
      <PreferencesBar />
    </div>
  );
}
