import Link from "next/link";
import { count, duration, NOTHING } from "@/app/_ui/format";
import type { Column } from "@/app/_ui/table/column";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { TargetAnswer } from "@/server/domain/canary";
import { StateTag } from "./state-tag";

const MODE = { "server-proxy": "through the server", direct: "pod by pod", gateway: "through a gateway" } as const;

export const TARGET_COLUMNS: readonly Column<TargetAnswer>[] = [
  {
    id: "name",
    head: "Target",
    rowHead: true,
    sort: (target) => target.name,
    cell: (target) => <b className="font-medium">{target.name}</b>,
  },
  {
    id: "state",
    head: "Newest run",
    sort: (target) => target.last?.createdAt ?? null,
    cell: ({ last }) =>
      last === null ? (
        <span className="text-mut">none yet</span>
      ) : (
        <span className="inline-flex items-center gap-2">
          <span className="min-w-[52px]">
            <StateTag state={last.state} result={last.result} />
          </span>
          <Link href={`/canaries/${last.id}`} className="rows-link">
            {last.plan}
          </Link>
          <span className="text-mut">
            <When at={last.createdAt} as="ago" />
          </span>
        </span>
      ),
  },
  {
    id: "address",
    head: "Address",
    wide: true,
    cell: (target) => <span className="mono text-mut">{target.baseUrl}</span>,
  },
  { id: "mode", head: "Commands go", wide: true, cell: (target) => MODE[target.mode] },
  {
    id: "bounds",
    head: "Bounds",
    wide: true,
    cell: ({ bounds }) =>
      `${count(bounds.maxConcurrent)} at once, ${count(bounds.maxCreatesPerMinute)} creates/min, ${duration(bounds.maxDurationS * 1000)}`,
  },
  {
    id: "key",
    head: "Key",
    wide: true,
    cell: (target) => (target.hasKey ? "set" : <Tag tone="quiet">{NOTHING}</Tag>),
  },
];
