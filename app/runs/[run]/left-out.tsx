import { Fragment, type ReactNode } from "react";
import { plural, rateText } from "@/app/_ui/format";
import type { RunSummary } from "@/server/domain/answers";
import { RowsLink } from "./rows-link";

/** What the figures leave out or cannot say, each with its rows where there are any. */
export function LeftOut({ run }: { run: RunSummary }) {
  const parts: ReactNode[] = [];
  if (run.notScored > 0) {
    parts.push(
      <RowsLink run={run.id} filter={{ verdict: "not_scored" }}>
        {run.notScored} not scored
      </RowsLink>,
    );
  }
  if ((run.unknownShare?.k ?? 0) > 0) {
    parts.push(
      <RowsLink run={run.id} filter={{ verdict: "all", class: "unknown" }}>
        unexplained {rateText(run.unknownShare)}
      </RowsLink>,
    );
  }
  if (run.masked > 0) parts.push(`${run.masked} masked by their producer`);
  if (run.unattributed > 0) parts.push(`${plural(run.unattributed, "rollout")} without a known node`);
  if (parts.length === 0) return <div className="mb-7" />;
  return (
    <p className="mb-7 text-small text-mut">
      {parts.map((part, i) => (
        // The order of the parts never changes.
        <Fragment key={["a", "b", "c", "d"][i]}>
          {i > 0 && " · "}
          {part}
        </Fragment>
      ))}
    </p>
  );
}
