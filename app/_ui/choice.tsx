"use client";

import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useLate } from "./use-late";

export interface Option {
  value: string;
  /** Shown in the list and, once chosen, on the button. */
  label: ReactNode;
  /** How many rows it would leave. */
  n?: number;
}

export interface ChoiceProps {
  label: string;
  /** Null: no choice made. */
  value: string | null;
  options: readonly Option[];
  onChange(value: string | null): void;
  /** What the list calls making no choice; without it a choice is always made. */
  any?: string;
}

const load = () => import("./choice-list").then((module) => module.ChoiceList);

/** One of several, named on the button that opens the list; the list's code comes when it is first opened. */
export function Choice(props: ChoiceProps) {
  const [List, open] = useLate(load);
  if (List) return <List {...props} />;
  return (
    <button
      type="button"
      role="combobox"
      aria-label={props.label}
      aria-haspopup="listbox"
      aria-expanded={false}
      onClick={open}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      className={choiceLook(props.value)}
    >
      <ChoiceFace {...props} />
    </button>
  );
}

export function choiceLook(value: string | null): string {
  return clsx(
    "inline-flex h-[30px] max-w-64 items-center gap-1.5 rounded-md border px-2.5 whitespace-nowrap select-none hover:bg-sub",
    value === null ? "border-line2 text-mut" : "border-field",
  );
}

/** What stands on the button: the name, and the choice where one is made. */
export function ChoiceFace({ label, value, options, any }: ChoiceProps) {
  const known = options.find((option) => option.value === value);
  return (
    <>
      <span className="text-mut">{label}</span>
      {(value !== null || any === undefined) && (
        <span className="truncate font-medium text-ink">{known?.label ?? value}</span>
      )}
      <ChevronDown aria-hidden="true" className="size-3.5 text-mut" />
    </>
  );
}
