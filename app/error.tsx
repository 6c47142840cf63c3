"use client";

import { Failed } from "./_ui/states";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Its code comes with every page, so it stands on little. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main id="content" tabIndex={-1} className="max-w-[1424px] px-4 pt-6 pb-16 outline-none md:px-8">
      <h1 className="mb-4 text-title font-semibold">This page could not be drawn.</h1>
      <Failed what="The page" error={error} retry={reset} />
      {error.digest && <p className="mt-2 text-small text-mut">The server's log has more under {error.digest}.</p>}
    </main>
  );
}
