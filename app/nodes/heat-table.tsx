import Link from "next/link";
import { When } from "@/app/_ui/when";
import type { HeatMap } from "./heat";
import { incidentsHref } from "./incidents-href";

/** The heatmap's cells with losses, worst first. */
export function HeatTable({ map, run }: { map: HeatMap; run: string | null }) {
  const cells = map.cells.filter((cell) => cell.lost > 0).sort((a, b) => b.level - a.level || b.lost - a.lost);
  return (
    <table className="grid-table">
      <caption className="sr-only">Nodes and spans of time in which rollouts were lost</caption>
      <thead>
        <tr>
          <th scope="col">Node</th>
          <th scope="col">From</th>
          <th scope="col" className="num">
            Lost
          </th>
          <th scope="col" className="num">
            Rollouts
          </th>
        </tr>
      </thead>
      <tbody>
        {cells.map((cell) => {
          const from = map.columns[cell.column]?.at ?? 0;
          return (
            <tr key={`${cell.node} ${cell.column}`}>
              <th scope="row" className="mono">
                {cell.node}
              </th>
              <td>
                <When at={new Date(from).toISOString()} />
              </td>
              <td className="num">
                <Link
                  href={incidentsHref({ node: cell.node, run, from, to: from + map.columnMs })}
                  className="rows-link"
                >
                  {cell.lost}
                </Link>
              </td>
              <td className="num">{cell.rollouts}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
