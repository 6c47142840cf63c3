import { holdUnits, sentenceParts } from "./sentence-parts";

/** What the page says first: one sentence computed from the data, then what else there is to know. */
export function Sentence({ text, lead }: { text: string; lead?: string }) {
  const { before, loss, rest } = sentenceParts(holdUnits(text));
  return (
    <div className="mb-5 max-w-[860px]">
      <h1 className="text-title font-semibold tracking-[-0.015em]">
        {before}
        {loss && <em className="text-bad not-italic">{loss}</em>}
        {rest}
      </h1>
      {lead && <p className="mt-1 text-mut">{holdUnits(lead)}</p>}
    </div>
  );
}
