import { clsx } from "clsx";
import Link from "next/link";
import { apiUrl } from "@/app/_client/api";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { count, cssShare, plural } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { CsvButton } from "@/app/_ui/table/csv-button";
import type { ClassCount, RunBreakdown } from "@/server/domain/answers";
import { RowsLink } from "./rows-link";

/** Classes that ended rollouts or were absorbed; infrastructure first, what the agent or task did below. */
export function ClassTable({ run, classes }: { run: string; classes: RunBreakdown["classes"] }) {
  const infra = classes.filter((one) => one.family !== "none" && one.class !== null);
  const apart = classes.filter((one) => one.family === "none" || one.class === null);
  const most = Math.max(1, ...infra.map((one) => one.rollouts));
  return (
    <Section
      title="What failed"
      note="rollouts lost, incidents absorbed"
      className="mb-8 min-w-0"
      actions={
        <CsvButton url={apiUrl("/failures", { run, by: "class" })} fileName={`${fileStem(run, "classes")}.csv`} />
      }
    >
      {infra.length === 0 ? (
        <p className="border-t py-2 text-mut">No failure of infrastructure was seen.</p>
      ) : (
        <Rows run={run} classes={infra} most={most} caption="Classes of infrastructure failure" />
      )}
      {apart.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit text-small text-mut hover:text-ink">
            Not infrastructure: {plural(apart.length, "class", "classes")}
          </summary>
          <Rows
            run={run}
            classes={apart}
            most={Math.max(1, ...apart.map((one) => one.rollouts))}
            caption="Other classes"
          />
        </details>
      )}
    </Section>
  );
}

interface RowsProps {
  run: string;
  classes: readonly ClassCount[];
  most: number;
  caption: string;
}

function Rows({ run, classes, most, caption }: RowsProps) {
  return (
    <table className="grid-table">
      <caption className="sr-only">{caption}, with lost rollouts and absorbed incidents</caption>
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col" className="w-[92px] max-sm:hidden">
            <span className="sr-only">Share of the largest</span>
          </th>
          <th scope="col" className="num">
            Lost
          </th>
          <th scope="col" className="num" title="Incidents that a retry absorbed">
            Abs.
          </th>
        </tr>
      </thead>
      <tbody>
        {classes.map((one) => (
          <ClassRow key={one.class ?? "none"} run={run} one={one} share={one.rollouts / most} />
        ))}
      </tbody>
    </table>
  );
}

function ClassRow({ run, one, share }: { run: string; one: ClassCount; share: number }) {
  const incidents = `/failures?run=${encodeURIComponent(run)}&class=${encodeURIComponent(one.class ?? "")}`;
  return (
    <tr>
      <th scope="row">
        <span className="flex items-baseline gap-2">
          <FamilySwatch family={one.family} />
          <span className="min-w-0">
            {one.title}
            <span className="mono block text-tiny leading-[15px] text-mut [overflow-wrap:anywhere]">
              {one.class ?? "no class"}
            </span>
          </span>
        </span>
      </th>
      <td className="max-sm:hidden">
        <span
          aria-hidden="true"
          className={clsx("fam-fill block h-2 rounded-xs", `fam-${one.family ?? "none"}`)}
          style={{ width: cssShare(share) }}
        />
      </td>
      <td className="num">
        {one.class === null || one.rollouts === 0 ? (
          count(one.rollouts)
        ) : (
          <RowsLink run={run} filter={{ verdict: "all", class: one.class }}>
            {count(one.rollouts)}
          </RowsLink>
        )}
      </td>
      <td className="num text-mut">
        {one.absorbed === 0 ? (
          0
        ) : (
          <Link href={`${incidents}&outcome=absorbed#incidents`} className="rows-link">
            {count(one.absorbed)}
          </Link>
        )}
      </td>
    </tr>
  );
}
