"use client";

import { useId } from "react";
import { Field } from "@/app/_ui/field";
import { nameOf, type OptionField } from "./option-fields";

const SELECT = "h-[30px] w-full rounded-md border border-field bg-bg px-2";

/** One option of a plan, empty = as the plan has it; `text` stands in it at first. */
export function OptionInput({ field, text }: { field: OptionField; text: string }) {
  const name = nameOf(field);
  if (field.kind === "choice") return <Pick field={field} name={name} text={text} values={field.choices ?? []} />;
  if (field.kind === "flag") return <Pick field={field} name={name} text={text} values={["yes", "no"]} />;
  if (field.kind === "json")
    return <Field label={name} name={name} hint={field.hint || "As JSON."} lines={3} defaultValue={text} />;
  const number = field.kind === "number";
  return (
    <Field
      label={name}
      name={name}
      hint={field.hint}
      type={number ? "number" : "text"}
      min={field.min}
      max={field.max}
      step={number ? (field.whole ? 1 : "any") : undefined}
      placeholder={field.kind === "list" ? "separated by commas" : undefined}
      defaultValue={text}
      autoComplete="off"
    />
  );
}

interface PickProps {
  field: OptionField;
  name: string;
  text: string;
  values: readonly string[];
}

function Pick({ field, name, text, values }: PickProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {name}
      </label>
      <select id={id} name={name} defaultValue={text} aria-describedby={`${id}-hint`} className={SELECT}>
        <option value="">as usual</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="text-small text-mut">
        {field.hint}
      </p>
    </div>
  );
}
