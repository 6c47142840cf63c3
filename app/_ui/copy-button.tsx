"use client";

import { Check, Copy, Link2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

const SHOWN_MS = 1600;

/** Says for a moment that it was copied; `failed` where the browser refuses. */
function useCopy(): [state: "idle" | "copied" | "failed", copy: (text: string) => void] {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    done.then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return [state, copy];
}

const SAID = { idle: null, copied: "Copied", failed: "Not allowed here" };

/** Copies `text`; `what` names it for readers of text. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [state, copy] = useCopy();
  return (
    <Button look="quiet" size="small" aria-label={label ? undefined : `Copy ${what}`} onClick={() => copy(text)}>
      {state === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{SAID[state] ?? label}</span>
    </Button>
  );
}

/** Copies the address of what is being looked at, filters and all. */
export function CopyLink() {
  const [state, copy] = useCopy();
  return (
    <Button onClick={() => copy(window.location.href)}>
      {state === "copied" ? <Check aria-hidden="true" /> : <Link2 aria-hidden="true" />}
      <span aria-live="polite" className="max-sm:sr-only">
        {SAID[state] ?? "Copy link"}
      </span>
    </Button>
  );
}
