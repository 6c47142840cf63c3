"use client";

import { useId } from "react";
import { Field } from "@/app/_ui/field";
import { nameOf, type OptionField } from "./option-fields";

const SELECT = "h-[30px] w-full rounded-md border border-field bg-bg px-2";

/** One option of a plan, empty = as the plan has it. */
export function OptionInput({ field }: { field: OptionField }) {
  const name = nameOf(field);
  if (field.kind === "choice") return <Pick field={field} name={name} values={field.choices ?? []} />;
  if (field.kind === "flag") return <Pick field={field} name={name} values={["yes", "no"]} />;
  if (field.kind === "json") return <Field label={name} name={name} hint={field.hint || "As JSON."} lines={3} />;
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
      autoComplete="off"
    />
  );
}

function Pick({ field, name, values }: { field: OptionField; name: string; values: readonly string[] }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {name}
      </label>
      <select id={id} name={name} defaultValue="" aria-describedby={`${id}-hint`} className={SELECT}>
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
