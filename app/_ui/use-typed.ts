"use client";

import { useEffect, useState } from "react";

interface Typed {
  text: string;
  setText(text: string): void;
  /** Tells at once, without waiting for a pause. */
  tellNow(): void;
}

/** A text that is told when the reader pauses for `pauseMs`, trimmed, null when empty; it follows `value` when that changes from elsewhere. */
export function useTyped(value: string | null, onChange: (value: string | null) => void, pauseMs: number): Typed {
  const [text, setText] = useState(value ?? "");
  const [said, setSaid] = useState(value);
  if (said !== value) {
    // Changed from elsewhere: a link, or the way back.
    setSaid(value);
    setText(value ?? "");
  }
  const next = text.trim() === "" ? null : text.trim();
  useEffect(() => {
    if (next === said) return;
    const timer = setTimeout(() => {
      setSaid(next);
      onChange(next);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [next, said, onChange, pauseMs]);
  const tellNow = () => {
    setSaid(next);
    onChange(next);
  };
  return { text, setText, tellNow };
}
