import Link from "next/link";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { count } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import type { ClassCount } from "@/server/domain/answers";
import type { NodeDetail } from "@/server/domain/node-detail";

/** What failed there, infrastructure only. */
export function NodeClasses({ node, run }: { node: NodeDetail; run: string | null }) {
  const infra = node.classes.filter((one) => one.family !== "none" && one.class !== null);
  return (
    <Section title="What failed" note="rollouts lost, incidents" className="mb-8 min-w-0">
      {infra.length === 0 ? (
        <p className="border-t py-2 text-mut">No failure of infrastructure was seen there.</p>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Classes of infrastructure failure on {node.node}</caption>
          <thead>
            <tr>
              <th scope="col">Class</th>
              <th scope="col" className="num">
                Lost
              </th>
              <th scope="col" className="num">
                Fatal
              </th>
              <th scope="col" className="num">
                Absorbed
              </th>
            </tr>
          </thead>
          <tbody>
            {infra.map((one) => (
              <Row key={one.class} one={one} node={node.node} run={run} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Row({ one, node, run }: { one: ClassCount; node: string; run: string | null }) {
  const behind = (outcome: "fatal" | "absorbed") => {
    const query = new URLSearchParams({ node, class: one.class ?? "", outcome, ...(run === null ? {} : { run }) });
    return `/failures?${query}#incidents`;
  };
  return (
    <tr>
      <th scope="row">
        <span className="flex items-baseline gap-2">
          <FamilySwatch family={one.family} />
          <span className="min-w-0">
            {one.title}
            <span className="mono block text-tiny leading-[15px] text-mut [overflow-wrap:anywhere]">{one.class}</span>
          </span>
        </span>
      </th>
      <td className="num">{count(one.rollouts)}</td>
      <td className="num">
        <Behind n={one.fatal} href={behind("fatal")} said={`${one.fatal} fatal: ${one.title}`} />
      </td>
      <td className="num text-mut">
        <Behind n={one.absorbed} href={behind("absorbed")} said={`${one.absorbed} absorbed: ${one.title}`} />
      </td>
    </tr>
  );
}

function Behind({ n, href, said }: { n: number; href: string; said: string }) {
  if (n === 0) return 0;
  return (
    <Link href={href} className="rows-link hit" aria-label={said}>
      {count(n)}
    </Link>
  );
}
