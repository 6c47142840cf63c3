"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ask } from "@/app/_client/questions";
import { CopyButton } from "@/app/_ui/copy-button";
import { count } from "@/app/_ui/format";
import { PanelLink } from "@/app/_ui/panel/panel-state";
import { Section } from "@/app/_ui/section";
import type { FailureFilter } from "./failure-parsers";
import { groupMessages } from "./group-messages";
import { ruleStub } from "./rule-stub";

const SHOWN = 8;

/** Errors that no rule explains, alike ones together: the list to drive down. */
export function Unexplained({ filter }: { filter: FailureFilter }) {
  const answer = useInfiniteQuery(ask.incidents({ ...filter, family: null, class: "unknown" }));
  const groups = useMemo(() => groupMessages(answer.data?.pages.flatMap((page) => page.items) ?? []), [answer.data]);
  if (groups.length === 0) return null;
  return (
    <Section title="Not explained by any rule" note="alike messages together; the newest 200 are read">
      <table className="grid-table">
        <caption className="sr-only">Messages that no rule explains</caption>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col" className="num">
              Incidents
            </th>
            <th scope="col">
              <span className="sr-only">Rule</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, SHOWN).map((group) => (
            <tr key={group.pattern}>
              <td className="mono w-full max-w-0 truncate" title={group.example.summary}>
                <PanelLink incident={group.example.id} page="/failures" className="hover:text-acc">
                  {group.pattern}
                </PanelLink>
              </td>
              <td className="num">{count(group.n)}</td>
              <td>
                <CopyButton text={ruleStub(group)} what="a rule for this message" label="Make a rule" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
