import Link from "next/link";
import { NOTHING } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { VerdictTag } from "@/app/_ui/verdict-tag";
import { When } from "@/app/_ui/when";
import type { RolloutDetail } from "@/server/domain/rollout-detail";

/** Other attempts at the same task and rollout index. */
export function SiblingAttempts({ detail }: { detail: RolloutDetail }) {
  return (
    <Section title="Other attempts" note="at the same task and rollout index">
      {detail.siblings.length === 0 ? (
        <p className="border-t py-2 text-mut">This was the only one.</p>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Other attempts at the same task and rollout index</caption>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Verdict</th>
              <th scope="col">What happened</th>
              <th scope="col" className="max-md:hidden">
                Node
              </th>
              <th scope="col" className="num max-md:hidden">
                Ended
              </th>
            </tr>
          </thead>
          <tbody>
            {detail.siblings.map((sibling) => (
              <tr key={sibling.id}>
                <th scope="row">
                  <Link href={`/rollouts/${encodeURIComponent(sibling.id)}`} className="rows-link">
                    {sibling.attempt}
                    {sibling.effective ? ", counts" : ""}
                  </Link>
                </th>
                <td>
                  <VerdictTag verdict={sibling.verdict} />
                </td>
                <td className="[overflow-wrap:anywhere]">{sibling.reason}</td>
                <td className="mono max-md:hidden">{sibling.node ?? NOTHING}</td>
                <td className="num max-md:hidden">
                  <When at={sibling.at} as="brief" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
