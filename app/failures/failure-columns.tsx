import Link from "next/link";
import { FamilyName, FamilySwatch } from "@/app/_ui/family-mark";
import { count } from "@/app/_ui/format";
import type { Column } from "@/app/_ui/table/column";
import { When } from "@/app/_ui/when";
import type { FailureDim, FailureGroup } from "@/server/domain/answers";
import type { TaxonomyClass } from "@/server/domain/product-answers";
import type { Family, Outcome } from "@/server/domain/taxonomy-words";
import { DIM_NAME, filterOf } from "./dims";
import type { FailureFilter } from "./failure-parsers";
import { OutcomeBar } from "./outcome-bar";

interface FailureColumnsGiven {
  groups: readonly FailureGroup[];
  dims: readonly FailureDim[];
  filter: FailureFilter;
  classes: readonly TaxonomyClass[];
}

/** What a line says of a group: what it is, then its incidents by outcome. Every number leads to its incidents. */
export function failureColumns({ groups, dims, filter, classes }: FailureColumnsGiven): Column<FailureGroup>[] {
  const most = Math.max(1, ...groups.map((group) => group.incidents));
  const known = new Map(classes.map((one) => [one.id, one]));
  const named = dims.map(
    (dim, i): Column<FailureGroup> => ({
      id: dim,
      head: DIM_NAME[dim],
      rowHead: i === 0,
      sort: (group) => group.key[dim] ?? null,
      cell: (group) => <KeyCell dim={dim} value={group.key[dim] ?? null} classes={known} />,
    }),
  );
  const counted = (id: Outcome, head: string): Column<FailureGroup> => ({
    id,
    head,
    num: true,
    wide: id === "teardown" || id === "unknown",
    sort: (group) => group[id],
    cell: (group) => <Behind n={group[id]} filter={filter} group={group} outcome={id} />,
  });
  return [
    ...named,
    {
      id: "bar",
      head: "",
      name: "Incidents by outcome",
      wide: true,
      cell: (group) => <OutcomeBar group={group} family={familyOf(group, known)} most={most} />,
    },
    {
      id: "incidents",
      head: "Incidents",
      num: true,
      sort: (group) => group.incidents,
      cell: (group) => <Behind n={group.incidents} filter={filter} group={group} />,
    },
    counted("fatal", "Fatal"),
    counted("absorbed", "Absorbed"),
    counted("teardown", "Teardown"),
    counted("unknown", "Open"),
    {
      id: "rollouts",
      head: "Rollouts lost",
      num: true,
      wide: true,
      sort: (group) => group.rollouts,
      cell: (group) => count(group.rollouts),
    },
    {
      id: "sandboxes",
      head: "Sandboxes",
      num: true,
      wide: true,
      sort: (group) => group.sandboxes,
      cell: (group) => count(group.sandboxes),
    },
  ];
}

function familyOf(group: FailureGroup, classes: ReadonlyMap<string, TaxonomyClass>): Family | null {
  if (group.key.family != null) return group.key.family as Family;
  return group.key.class == null ? null : (classes.get(group.key.class)?.family ?? null);
}

interface KeyCellProps {
  dim: FailureDim;
  value: string | null;
  classes: ReadonlyMap<string, TaxonomyClass>;
}

function KeyCell({ dim, value, classes }: KeyCellProps) {
  if (value === null) return <span className="text-mut">not known</span>;
  if (dim === "family") return <FamilyName family={value as Family} />;
  if (dim === "hour" || dim === "day") return <When at={value} as={dim === "day" ? "day" : "full"} />;
  const one = dim === "class" ? classes.get(value) : undefined;
  if (one === undefined) return <span className="mono">{value}</span>;
  return (
    <span className="flex items-baseline gap-2">
      <FamilySwatch family={one.family} />
      <span>
        {one.title}
        <span className="mono block text-tiny leading-[15px] text-mut [overflow-wrap:anywhere]">{value}</span>
      </span>
    </span>
  );
}

interface BehindProps {
  n: number;
  filter: FailureFilter;
  group: FailureGroup;
  outcome?: Outcome;
}

/** A number that leads to its incidents, unless there are none, or no filter can ask for them. */
function Behind({ n, filter, group, outcome }: BehindProps) {
  const own = filterOf(group.key);
  if (n === 0 || own === null) return <span className={n === 0 ? "text-mut" : undefined}>{count(n)}</span>;
  const all = { ...filter, ...own, ...(outcome === undefined ? {} : { outcome }) };
  const query = new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  return (
    <Link href={`/failures?${query}#incidents`} className="rows-link">
      {count(n)}
    </Link>
  );
}
