"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { buttonLook } from "./button";

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: ReactNode;
  /** Said to readers of text with the title; must be phrasing content. */
  description?: ReactNode;
  /** A panel at the side keeps the page in sight; a box in the middle asks for an answer; `menu` comes from the left. */
  as?: "box" | "panel" | "menu";
  children: ReactNode;
}

const PLACE = {
  box: "top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-lg border data-ending-style:opacity-0 data-starting-style:opacity-0",
  panel:
    "inset-y-0 right-0 w-[min(46rem,100vw)] border-l data-ending-style:translate-x-full data-starting-style:translate-x-full",
  menu: "inset-y-0 left-0 w-64 border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full",
};

/** A modal layer with title, way out, trapped focus and Escape. */
export function Dialog({ open, onClose, title, description, as = "box", children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-(--shade) motion-safe:transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          className={clsx(
            "fixed z-50 flex flex-col overflow-hidden border-line2 bg-raise text-ink shadow-2xl motion-safe:transition-all duration-150 outline-none",
            PLACE[as],
          )}
        >
          <div className="flex items-start gap-3 border-b px-4 py-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-body font-semibold break-words">{title}</Base.Title>
              {description && <Base.Description className="text-small text-mut">{description}</Base.Description>}
            </div>
            <Base.Close
              className={buttonLook({ look: "quiet", size: "square", className: "-my-1 -mr-2" })}
              aria-label="Close"
            >
              <X aria-hidden="true" />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
