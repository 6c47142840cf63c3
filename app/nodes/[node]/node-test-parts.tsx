import Link from "next/link";
import { FAMILY_NAME } from "@/app/_ui/families";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { pValue } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import type { NodeDetail, NodeStratum } from "@/server/domain/node-detail";
import { testNotes } from "./node-words";

/** What the test rests on: each run and config it took part in, families apart, and what to bear in mind. */
export function NodeTestParts({ node }: { node: NodeDetail }) {
  const families = node.families.filter((one) => one.k > 0);
  return (
    <Section title="The test" note="against the other nodes of the same run and config" className="mb-8 min-w-0">
      {node.strata.length === 0 ? (
        <p className="border-t py-2 text-mut">No finished rollout is known to have run there: nothing was tested.</p>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Runs and configs that {node.node} took part in</caption>
          <thead>
            <tr>
              <th scope="col">Run, config</th>
              <th scope="col" className="num">
                Lost here
              </th>
              <th scope="col" className="num">
                All nodes
              </th>
            </tr>
          </thead>
          <tbody>
            {node.strata.map((one) => (
              <Stratum key={`${one.run} ${one.configKey}`} node={node.node} one={one} />
            ))}
          </tbody>
        </table>
      )}
      {families.length > 0 && (
        <ul className="mt-2 flex flex-col gap-0.5" aria-label="By family">
          {families.map((one) => (
            <li key={one.family} className="flex flex-wrap items-baseline gap-x-2">
              <FamilySwatch family={one.family} />
              <span>
                {FAMILY_NAME[one.family]}: {one.k}, {one.expected.toFixed(1)} expected, q {pValue(one.q)}
              </span>
              {one.standsOut && <Tag tone="warn">stands out</Tag>}
            </li>
          ))}
        </ul>
      )}
      {testNotes(node).map((note) => (
        <p key={note} className="mt-1.5 text-small text-mut">
          {note}
        </p>
      ))}
    </Section>
  );
}

function Stratum({ node, one }: { node: string; one: NodeStratum }) {
  const rows = (verdict: string, here: boolean) => {
    const query = new URLSearchParams({
      verdict,
      ...(here ? { node } : {}),
      ...(one.configKey ? { config: one.configKey } : {}),
    });
    return `/runs/${encodeURIComponent(one.run ?? "")}?${query}#rollouts`;
  };
  const [here, all] = [`${one.seen}/${one.here}`, `${one.failures}/${one.rollouts}`];
  return (
    <tr>
      <th scope="row">
        <span className="block [overflow-wrap:anywhere]">{one.run ?? "no run"}</span>
        <span className="mono block text-tiny text-mut">{one.configKey ?? "config not known"}</span>
      </th>
      <td className="num">
        {one.run === null ? (
          here
        ) : (
          <Link
            href={rows("all", true)}
            className="rows-link hit"
            aria-label={`${one.seen} of ${one.here} lost here in ${one.run}`}
          >
            {here}
          </Link>
        )}
      </td>
      <td className="num text-mut">
        {one.run === null ? (
          all
        ) : (
          <Link
            href={rows("infra_failed", false)}
            className="rows-link hit"
            aria-label={`${one.failures} of ${one.rollouts} lost in ${one.run}`}
          >
            {all}
          </Link>
        )}
      </td>
    </tr>
  );
}
