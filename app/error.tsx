"use client";

import { PageFrame } from "./_ui/page-frame";
import { Failed } from "./_ui/states";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <PageFrame trail={[{ name: "Error" }]}>
      <h1 className="mb-4 text-title font-semibold">This page could not be drawn.</h1>
      <Failed what="The page" error={error} retry={reset} />
      {error.digest && <p className="mt-2 text-small text-mut">The server's log has more under {error.digest}.</p>}
    </PageFrame>
  );
}
