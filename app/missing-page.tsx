"use client";

import Link from "next/link";
import { useSyncExternalStore } from "react";
import { buttonLook } from "./_ui/button";
import { PageFrame } from "./_ui/page-frame";
import { whatIsMissing } from "./missing-words";

const never = () => () => {};

/** Names what there is not by the address in the browser: the server draws this page for an address that leads nowhere. */
export function MissingPage() {
  const path = useSyncExternalStore<string | null>(
    never,
    () => window.location.pathname,
    () => null,
  );
  const { name, title, why, ways } = whatIsMissing(path);
  return (
    <PageFrame trail={[{ name }]}>
      <h1 className="text-title font-semibold [overflow-wrap:anywhere]">{title}</h1>
      <p className="mt-1 mb-5 max-w-[640px] text-mut">{why}</p>
      <div className="flex flex-wrap gap-2">
        {ways.map(({ name, href }, i) => (
          <Link key={href} href={href} className={buttonLook({ look: i === 0 ? "primary" : "plain" })}>
            {name}
          </Link>
        ))}
      </div>
    </PageFrame>
  );
}
