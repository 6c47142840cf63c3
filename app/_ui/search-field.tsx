"use client";

import { Search } from "lucide-react";
import { useId } from "react";
import { useTyped } from "./use-typed";

interface SearchFieldProps {
  label: string;
  value: string | null;
  onChange(value: string | null): void;
}

/** Waits until the reader pauses before it asks. */
const PAUSE_MS = 250;

/** Filters what is on the page; the key `/` leads here. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId();
  const { text, setText } = useTyped(value, onChange, PAUSE_MS);
  return (
    <label
      htmlFor={id}
      className="inline-flex h-[30px] min-w-44 flex-1 items-center gap-1.5 rounded-md border border-line2 px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-acc sm:max-w-64"
    >
      <Search aria-hidden="true" className="size-3.5 text-mut" />
      <span className="sr-only">{label}</span>
      <input
        id={id}
        data-search=""
        type="search"
        value={text}
        placeholder={label}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        className="w-full bg-transparent outline-none placeholder:text-mut"
      />
    </label>
  );
}
