import { clsx } from "clsx";
import { cssShare } from "@/app/_ui/format";
import type { FailureGroup } from "@/server/domain/answers";
import type { Family } from "@/server/domain/taxonomy-words";

interface OutcomeBarProps {
  group: FailureGroup;
  family: Family | null;
  /** Incidents of the largest group. */
  most: number;
}

/** Fatal incidents full, the others in outline: what ended a rollout is seen first. */
export function OutcomeBar({ group, family, most }: OutcomeBarProps) {
  const { fatal, incidents } = group;
  const fam = `fam-${family ?? "other"}`;
  return (
    <span
      role="img"
      aria-label={`${fatal} of ${incidents} fatal`}
      className={clsx("flex h-2.5 w-40 gap-px", fam)}
      title={`${fatal} fatal, ${incidents - fatal} not`}
    >
      {fatal > 0 && (
        <span className={clsx("fam-fill min-w-0.5 rounded-xs", fam)} style={{ width: cssShare(fatal / most) }} />
      )}
      {incidents > fatal && (
        <span
          className="min-w-0.5 rounded-xs border border-(--fam) bg-[color-mix(in_srgb,var(--fam)_14%,transparent)]"
          style={{ width: cssShare((incidents - fatal) / most) }}
        />
      )}
    </span>
  );
}
