import Link from "next/link";
import { buttonLook } from "./_ui/button";
import { PageFrame } from "./_ui/page-frame";

export default function NotFound() {
  return (
    <PageFrame trail={[{ name: "Not found" }]}>
      <h1 className="text-title font-semibold">There is nothing here.</h1>
      <p className="mt-1 mb-5 max-w-[640px] text-mut">
        The run or page may have been removed, or its name is written differently. Runs are listed under their ids.
      </p>
      <div className="flex gap-2">
        <Link href="/runs" className={buttonLook({ look: "primary" })}>
          All runs
        </Link>
        <Link href="/" className={buttonLook()}>
          Overview
        </Link>
      </div>
    </PageFrame>
  );
}
