"use client";

import { Search } from "lucide-react";
import { type FormEvent, useId } from "react";
import { useTyped } from "@/app/_ui/use-typed";

interface SearchBoxProps {
  value: string | null;
  onChange(value: string | null): void;
}

/** Waits until the reader pauses before it asks. */
const PAUSE_MS = 400;

/** What is looked for; the key `/` leads here, Enter asks at once. */
export function SearchBox({ value, onChange }: SearchBoxProps) {
  const id = useId();
  const { text, setText, tellNow } = useTyped(value, onChange, PAUSE_MS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tellNow();
  };
  return (
    <search>
      <form onSubmit={submit} className="mb-2">
        <div className="flex h-10 items-center gap-2 rounded-md border border-field px-3 has-focus-visible:outline-2 has-focus-visible:outline-acc">
          <Search aria-hidden="true" className="size-4 text-mut" />
          <label htmlFor={id} className="sr-only">
            Words of the line
          </label>
          <input
            id={id}
            data-search=""
            type="search"
            value={text}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-hint`}
            placeholder={'connection reset, "exit code 137", 5f0c1e2a'}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
            className="mono h-full w-full bg-transparent text-body outline-none placeholder:text-mut"
          />
        </div>
        <p id={`${id}-hint`} className="mt-1 text-small text-mut">
          Whole words, all of them in one line, in any case; “in quotes” as one phrase.
        </p>
      </form>
    </search>
  );
}
