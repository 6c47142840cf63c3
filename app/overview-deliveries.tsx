import Link from "next/link";
import { DemoTag } from "@/app/_ui/demo-tag";
import { count } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { When } from "@/app/_ui/when";
import type { BatchAnswer } from "@/server/domain/answers";

const SHOWN = 6;

/** What came in last, and what of it could not be read. */
export function LastDeliveries({ deliveries }: { deliveries: readonly BatchAnswer[] }) {
  return (
    <Section
      title="Last deliveries"
      className="mb-8 min-w-0"
      actions={
        <Link href="/ingest" className="rows-link">
          All deliveries
        </Link>
      }
    >
      <table className="grid-table">
        <caption className="sr-only">Last deliveries with records and rejects</caption>
        <thead>
          <tr>
            <th scope="col">Delivery</th>
            <th scope="col" className="num">
              Records
            </th>
            <th scope="col" className="num">
              Unread
            </th>
            <th scope="col" className="num">
              Received
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.slice(0, SHOWN).map((batch) => (
            <tr key={batch.id}>
              <th scope="row" className="w-full max-w-0" title={batch.name ?? batch.source}>
                <span className="flex items-center gap-x-2 max-md:flex-wrap">
                  <span className="mono truncate max-md:whitespace-normal max-md:[overflow-wrap:anywhere]">
                    {batch.name ?? batch.source}
                  </span>
                  {batch.origin === "demo" && <DemoTag />}
                </span>
              </th>
              <td className="num">{count(batch.records)}</td>
              <td className="num">
                {batch.rejected === 0 ? (
                  0
                ) : (
                  <Link href={`/ingest?rejects=${batch.id}`} className="rows-link text-bad">
                    {count(batch.rejected)}
                  </Link>
                )}
              </td>
              <td className="num">
                <When at={batch.receivedAt} as="ago" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
