import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** What must be known before anything below is believed. */
export function Banner({ children }: { children: ReactNode }) {
  return (
    <div
      role="note"
      className="mb-5 flex items-start gap-2.5 rounded-lg border border-warn-line bg-warn-bg px-4 py-2.5 font-medium text-warn"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
