"use client";

import { useCallback, useState } from "react";

/** Code that is fetched once the reader reaches for it: null until then. A fetch that fails is tried again at the next reach. */
export function useLate<T>(load: () => Promise<T>): [late: T | null, reach: () => void] {
  const [late, setLate] = useState<{ value: T } | null>(null);
  const reach = useCallback(() => {
    load().then(
      (value) => setLate({ value }),
      () => {},
    );
  }, [load]);
  return [late?.value ?? null, reach];
}
