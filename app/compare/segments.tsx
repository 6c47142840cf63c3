import { clsx } from "clsx";
import { useId } from "react";

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; title?: string; disabled?: boolean }[];
  onChange(value: T): void;
}

/** One of few, all in sight; arrow keys move between them as between radio buttons. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full flex-wrap rounded-md border border-line2 p-px">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.title}
          className={clsx(
            "relative inline-flex h-[26px] cursor-pointer items-center rounded-[5px] px-2 whitespace-nowrap select-none has-focus-visible:outline-2 has-focus-visible:outline-acc",
            option.value === value ? "bg-ink font-medium text-bg" : "text-mut hover:text-ink",
            option.disabled && "cursor-not-allowed opacity-50",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-[inherit] opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
