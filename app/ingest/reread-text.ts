/** What reading archived lines again would change, in words. Pure. */
import { count, plural } from "@/app/_ui/format";
import type { RereadCount } from "@/server/domain/reclassify";

/** `of`: how many deliveries would be read, when only some of them were looked at. */
export function rereadText(reread: RereadCount, of: number | null): string {
  const { deliveries, lines, comes, goes, changes } = reread;
  const moved = `${plural(comes, "piece")} of evidence would come, ${count(goes)} go, ${count(changes)} say otherwise`;
  const where =
    of === null ? plural(deliveries, "delivery", "deliveries") : `${count(deliveries)} of ${count(of)} deliveries`;
  const estimate = of === null ? "" : " An estimate: only the newest were looked at.";
  return `From ${plural(lines, "line")} of ${where}, ${moved}.${estimate}${leftText(reread)}`;
}

function leftText({ left }: RereadCount): string {
  const reasons = [
    [left.records, "not kept as lines (rollouts, objects)"],
    [left.older, "kept by an older version"],
    [left.broken, "could not be opened"],
    [left.cut, "not kept whole"],
  ] as const;
  const said = reasons.flatMap(([n, why]) => (n > 0 ? [`${count(n)} ${why}`] : []));
  return said.length === 0 ? "" : ` Stays as it was: ${said.join(", ")}.`;
}
