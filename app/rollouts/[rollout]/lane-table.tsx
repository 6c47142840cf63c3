import { When } from "@/app/_ui/when";
import { type CertificateRow, shortText, sinceText } from "./certificate";

/** The picture's dots as rows. */
export function LaneTable({ rows }: { rows: readonly CertificateRow[] }) {
  return (
    <table className="grid-table">
      <caption className="sr-only">Lines of evidence by time</caption>
      <thead>
        <tr>
          <th scope="col">At</th>
          <th scope="col" className="num">
            Since the first
          </th>
          <th scope="col">Layer</th>
          <th scope="col">Class</th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, line, sinceMs }) => (
          <tr key={key}>
            <td className="mono">
              <When at={line.at} as="precise" />
            </td>
            <td className="num">{sinceMs === null ? "" : sinceText(sinceMs)}</td>
            <td>{line.layer}</td>
            <td className="mono">{line.class ?? ""}</td>
            <td className="mono [overflow-wrap:anywhere]">{shortText(line.text, 90).short}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
