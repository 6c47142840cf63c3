import type { FamilyCounts } from "@/server/domain/answers";
import type { Rate } from "@/server/domain/rate";
import { FAMILY_NAME, FAMILY_ORDER } from "../families";
import { NOTHING, rateText } from "../format";
import { When } from "../when";

export interface TimeRow {
  at: string;
  well?: number;
  byFamily: FamilyCounts;
  rate?: Rate | null;
}

interface TimeTableProps {
  caption: string;
  rows: readonly TimeRow[];
  as: "day" | "full";
}

/** The numbers of a chart over time. */
export function TimeTable({ caption, rows, as }: TimeTableProps) {
  const families = FAMILY_ORDER.filter((family) => rows.some((row) => row.byFamily[family] > 0));
  const withWell = rows.some((row) => row.well !== undefined);
  const withRate = rows.some((row) => row.rate !== undefined);
  return (
    <table className="grid-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          {withWell && (
            <th scope="col" className="num">
              Not lost
            </th>
          )}
          {families.map((family) => (
            <th key={family} scope="col" className="num">
              {FAMILY_NAME[family]}
            </th>
          ))}
          {withRate && <th scope="col">Lost</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.at}>
            <th scope="row">
              <When at={row.at} as={as} />
            </th>
            {withWell && <td className="num">{row.well ?? NOTHING}</td>}
            {families.map((family) => (
              <td key={family} className="num">
                {row.byFamily[family]}
              </td>
            ))}
            {withRate && <td className="tabular whitespace-nowrap">{rateText(row.rate ?? null)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
