import { headers } from "next/headers";
import Link from "next/link";
import { MISSING_HEADER } from "@/server/http/known-page";
import { buttonLook } from "./_ui/button";
import { PageFrame } from "./_ui/page-frame";
import { whatIsMissing } from "./missing-words";

export default async function NotFound() {
  const { name, title, why, ways } = whatIsMissing((await headers()).get(MISSING_HEADER));
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
