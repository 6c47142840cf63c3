"use client";

import { lazy, Suspense } from "react";

// Every page is told of this one in case it leads nowhere; only then is its code asked for.
const MissingPage = lazy(() => import("./missing-page").then((module) => ({ default: module.MissingPage })));

export function MissingView() {
  return (
    <Suspense>
      <MissingPage />
    </Suspense>
  );
}
