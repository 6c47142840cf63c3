import { clsx } from "clsx";
import type { FamilyCounts } from "@/server/domain/answers";
import type { Family } from "@/server/domain/taxonomy-words";
import { FAMILY_LETTER, FAMILY_NAME, familyParts, familyText } from "./families";
import { cssShare } from "./format";

/** The colour and texture of a family; its name stands beside it, so readers of text skip it. */
export function FamilySwatch({ family }: { family: Family | null }) {
  return <i aria-hidden="true" className={clsx("swatch fam-fill", `fam-${family ?? "none"}`)} />;
}

export function FamilyName({ family }: { family: Family | null }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <FamilySwatch family={family} />
      {family === null ? "No family" : FAMILY_NAME[family]}
    </span>
  );
}

/** One stacked bar of what a row lost by family; `share` shortens it against the longest row. */
export function FamilyBar({ counts, share = 1 }: { counts: FamilyCounts; share?: number }) {
  const parts = familyParts(counts);
  return (
    <span className="block h-3.5 w-full min-w-16" role="img" aria-label={`By family: ${familyText(counts)}`}>
      <span className="flex h-full gap-px" style={{ width: cssShare(share) }}>
        {parts.map(({ family, n, share: part }) => (
          <span
            key={family}
            title={`${FAMILY_NAME[family]}: ${n}`}
            className={clsx("relative min-w-1 rounded-xs", "fam-fill", `fam-${family}`)}
            style={{ flexGrow: part, flexBasis: 0 }}
          />
        ))}
      </span>
    </span>
  );
}

/** Which colour is which, with counts where they help. */
export function FamilyLegend({ counts }: { counts: FamilyCounts }) {
  return (
    <ul className="flex flex-wrap gap-x-3.5 gap-y-1 text-small text-mut">
      {familyParts(counts).map(({ family, n }) => (
        <li key={family} className="inline-flex items-center gap-1.5">
          <FamilySwatch family={family} />
          {FAMILY_NAME[family]} <span className="tabular">{n}</span>
          <span className="sr-only">(letter {FAMILY_LETTER[family]})</span>
        </li>
      ))}
    </ul>
  );
}
