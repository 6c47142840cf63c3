"use client";

import { Select } from "@base-ui/react/select";
import { clsx } from "clsx";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

export interface Option {
  value: string;
  /** Shown in the list and, once chosen, on the button. */
  label: ReactNode;
  /** How many rows it would leave. */
  n?: number;
}

interface ChoiceProps {
  label: string;
  /** Null: no choice made. */
  value: string | null;
  options: readonly Option[];
  onChange(value: string | null): void;
  /** What the list calls making no choice; without it a choice is always made. */
  any?: string;
}

/** One of several, named on the button that opens the list. */
export function Choice({ label, value, options, onChange, any }: ChoiceProps) {
  const known = options.find((option) => option.value === value);
  return (
    <Select.Root value={value} onValueChange={onChange}>
      <Select.Trigger
        aria-label={label}
        className={clsx(
          "inline-flex h-[30px] max-w-64 items-center gap-1.5 rounded-md border px-2.5 whitespace-nowrap select-none hover:bg-sub",
          value === null ? "border-line2 text-mut" : "border-field",
        )}
      >
        <span className="text-mut">{label}</span>
        {(value !== null || any === undefined) && (
          <Select.Value className="truncate font-medium">{() => known?.label ?? value}</Select.Value>
        )}
        <Select.Icon>
          <ChevronDown aria-hidden="true" className="size-3.5 text-mut" />
        </Select.Icon>
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner className="z-50 outline-none" sideOffset={4} alignItemWithTrigger={false}>
          <Select.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-md border border-line2 bg-raise p-1 shadow-xl outline-none">
            <Select.List>
              {any !== undefined && <ChoiceItem value={null} label={any} />}
              {options.map((option) => (
                <ChoiceItem key={option.value} {...option} />
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}

function ChoiceItem({ value, label, n }: { value: string | null; label: ReactNode; n?: number }) {
  return (
    <Select.Item
      value={value}
      className="grid cursor-default grid-cols-[14px_1fr_auto] items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-highlighted:bg-sub"
    >
      <Select.ItemIndicator className="col-start-1">
        <Check aria-hidden="true" className="size-3.5" />
      </Select.ItemIndicator>
      <Select.ItemText className="col-start-2">{label}</Select.ItemText>
      {n !== undefined && <span className="tabular col-start-3 pl-4 text-small text-mut">{n}</span>}
    </Select.Item>
  );
}
