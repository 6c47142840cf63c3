import Link from "next/link";
import { DemoTag } from "@/app/_ui/demo-tag";
import { bytes, count } from "@/app/_ui/format";
import type { Column } from "@/app/_ui/table/column";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { BatchAnswer } from "@/server/domain/answers";
import { RejectsLink } from "./rejects-link";

const number = (
  id: keyof BatchAnswer & ("records" | "observations" | "rollouts" | "routine" | "duplicates"),
  head: string,
): Column<BatchAnswer> => ({
  id,
  head,
  num: true,
  wide: true,
  width: "74px",
  cell: (batch) => <span className={batch[id] === 0 ? "text-mut" : undefined}>{count(batch[id])}</span>,
});

/** What a line says of a delivery. */
export function deliveryColumns(): Column<BatchAnswer>[] {
  return [
    { id: "name", head: "Delivery", rowHead: true, width: "auto", cell: (batch) => <Name batch={batch} /> },
    {
      id: "format",
      head: "Format",
      wide: true,
      width: "128px",
      cell: (batch) => <span className="mono">{batch.format}</span>,
    },
    { id: "run", head: "Run", wide: true, width: "92px", cell: (batch) => <RunOf batch={batch} /> },
    { id: "bytes", head: "Size", num: true, wide: true, width: "78px", cell: (batch) => bytes(batch.bytes) },
    number("records", "Records"),
    number("rollouts", "Rollouts"),
    number("observations", "Evidence"),
    number("routine", "Routine"),
    {
      id: "rejected",
      head: "Not read",
      num: true,
      width: "72px",
      cell: (batch) =>
        batch.rejected === 0 ? (
          <span className="text-mut">0</span>
        ) : (
          <RejectsLink batch={batch.id}>{count(batch.rejected)}</RejectsLink>
        ),
    },
    { id: "at", head: "Received", num: true, width: "92px", cell: (batch) => <When at={batch.receivedAt} as="ago" /> },
  ];
}

function Name({ batch }: { batch: BatchAnswer }) {
  return (
    <span title={`${batch.name ?? ""} from ${batch.source}`} className="flex items-center gap-x-2 max-md:flex-wrap">
      <span className="mono truncate max-md:whitespace-normal max-md:[overflow-wrap:anywhere]">
        {batch.name ?? batch.source}
      </span>{" "}
      {batch.origin === "demo" && <DemoTag />}
      {batch.state !== "complete" && <Tag tone="warn">{batch.state}</Tag>}
    </span>
  );
}

function RunOf({ batch }: { batch: BatchAnswer }) {
  if (batch.run === null) return <span className="text-mut">by record</span>;
  return (
    <Link href={`/runs/${encodeURIComponent(batch.run)}`} className="rows-link">
      {batch.run}
    </Link>
  );
}
