import { type ComponentProps, useId } from "react";

type FieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  hint?: string;
  /** More than one line: a text area. */
  lines?: number;
};

const LOOK = "w-full rounded-md border border-field bg-bg px-2.5 py-1 outline-offset-0 placeholder:text-mut";

/** A labelled input. */
export function Field({ label, hint, lines, ...input }: FieldProps) {
  const id = useId();
  const described = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      {lines === undefined ? (
        <input {...input} id={id} aria-describedby={described} className={`${LOOK} h-[30px]`} />
      ) : (
        <textarea
          id={id}
          name={input.name}
          rows={lines}
          defaultValue={input.defaultValue as string}
          aria-describedby={described}
          className={LOOK}
        />
      )}
      {hint && (
        <p id={described} className="text-small text-mut">
          {hint}
        </p>
      )}
    </div>
  );
}
