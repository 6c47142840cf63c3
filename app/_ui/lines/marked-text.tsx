interface MarkedTextProps {
  text: string;
  /** [from, to) in order, without overlap. */
  marks: readonly (readonly [number, number])[];
}

/** Text of a log as text, with what was looked for marked. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  if (marks.length === 0) return text;
  return (
    <>
      {marks.map(([from, to], i) => (
        <span key={from}>
          {text.slice(marks[i - 1]?.[1] ?? 0, from)}
          <mark className="rounded-sm bg-warn-bg text-ink shadow-[0_0_0_1px_var(--warn-line)]">
            {text.slice(from, to)}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
