"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import type { Zone } from "@/app/_ui/clock";
import type { Theme } from "./preferences";
import { makeQueryClient } from "./query-client";
import { ReaderProvider } from "./reader";

interface ProvidersProps {
  theme: Theme;
  zone: Zone;
  now: number;
  nonce: string | undefined;
  children: ReactNode;
}

/** What every page stands on: answers kept, state in the URL, the reader's choices. */
export function Providers({ children, nonce, ...reader }: ProvidersProps) {
  const [client] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>
        <CSPProvider nonce={nonce}>
          <ReaderProvider {...reader}>{children}</ReaderProvider>
        </CSPProvider>
      </NuqsAdapter>
    </QueryClientProvider>
  );
}
