import Link from "next/link";
import { count, plural } from "@/app/_ui/format";
import type { Column } from "@/app/_ui/table/column";
import { DataTable } from "@/app/_ui/table/data-table";
import type { ReclassifyPreview } from "@/server/domain/reclassify";
import { type MoveRow, moveRows } from "./move-rows";
import { rereadText } from "./reread-text";

const COLUMNS: Column<MoveRow>[] = [
  { id: "what", head: "What", width: "88px", cell: (row) => row.what },
  { id: "before", head: "Now", width: "236px", cell: (row) => <span className="mono">{row.before}</span> },
  { id: "after", head: "By today's", width: "236px", cell: (row) => <span className="mono">{row.after}</span> },
  { id: "n", head: "How many", num: true, width: "84px", cell: (row) => count(row.n) },
  { id: "example", head: "For example", wide: true, width: "auto", cell: (row) => <Example row={row} /> },
];

/** What reading and judging by today's formats and rules would change, before it is done. */
export function RulesPreview({ preview }: { preview: ReclassifyPreview }) {
  const rows = moveRows(preview);
  return (
    <>
      {preview.reread !== null && <p className="mb-2">{rereadText(preview.reread, preview.rereadOf)}</p>}
      {(preview.reread === null || preview.observations > 0) && (
        <p className="mb-2">
          Of {plural(preview.observations, "piece")} of evidence, {count(preview.changed)} would be judged otherwise
          {preview.changed > 0 && rows.length === 0 && ", by another rule of the same class"}.
        </p>
      )}
      {preview.derivedOnly !== null && (
        <p className="mb-2">
          Incidents and rollouts are those of the first {count(preview.derivedOnly)} things touched; there are more.
        </p>
      )}
      {rows.length > 0 && (
        <DataTable caption="What would change" columns={COLUMNS} rows={rows} rowKey={(row) => row.id} />
      )}
    </>
  );
}

function Example({ row }: { row: MoveRow }) {
  const text = <span className="block truncate">{row.example}</span>;
  if (row.href === null) return <span title={row.example}>{text}</span>;
  return (
    <Link href={row.href} className="rows-link">
      {text}
    </Link>
  );
}
