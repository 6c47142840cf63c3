"use client";

import { Select } from "@base-ui/react/select";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { ChoiceFace, type ChoiceProps, choiceLook } from "./choice";

/** The choice with its list; it comes open, because reaching for it is why it came. */
export function ChoiceList(props: ChoiceProps) {
  const { label, value, options, onChange, any } = props;
  return (
    <Select.Root defaultOpen value={value} onValueChange={onChange}>
      <Select.Trigger aria-label={label} className={choiceLook(value)}>
        <ChoiceFace {...props} />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner className="z-50 outline-none" sideOffset={4} alignItemWithTrigger={false}>
          <Select.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-md border border-line2 bg-raise p-1 shadow-xl outline-none">
            <Select.List>
              {any !== undefined && <Item value={null} label={any} />}
              {options.map((option) => (
                <Item key={option.value} {...option} />
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}

function Item({ value, label, n }: { value: string | null; label: ReactNode; n?: number }) {
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
