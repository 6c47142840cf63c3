"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FamilySwatch } from "@/app/_ui/family-mark";
import { count } from "@/app/_ui/format";
import { PanelLink } from "@/app/_ui/panel/panel-state";
import { Section } from "@/app/_ui/section";
import { VerdictTag } from "@/app/_ui/verdict-tag";
import { When } from "@/app/_ui/when";
import type { SearchFilter } from "./search-parsers";
import { askBeside } from "./search-questions";

/** On a narrow screen they stand above the lines, so only the first few. */
const ROW = "flex items-baseline gap-2 border-b py-1 max-lg:nth-[n+4]:hidden";

/** Incidents and rollouts that say the same words. */
export function Beside({ filter }: { filter: SearchFilter }) {
  const { data } = useQuery(askBeside(filter));
  const none = !data || data.incidents.length + data.rollouts.length === 0;
  return (
    <aside aria-label="Incidents and rollouts that match" className="min-w-0 lg:order-last">
      {none ? (
        <p className="text-small text-mut max-lg:hidden">{said(filter, data !== undefined)}</p>
      ) : (
        <>
          {data.incidents.length > 0 && (
            <Section title="Incidents" note={`of the newest ${count(data.of.incidents)}`} className="mb-5">
              <ul className="border-t">
                {data.incidents.map((incident) => (
                  <li key={incident.id} className={ROW}>
                    <FamilySwatch family={incident.family} />
                    <span className="min-w-0 flex-1 truncate" title={incident.summary}>
                      <PanelLink incident={incident.id} page="/failures">
                        {incident.title}
                      </PanelLink>
                    </span>
                    <span className="text-small text-mut">
                      <When at={incident.firstAt} as="ago" />
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {data.rollouts.length > 0 && (
            <Section title="Rollouts" note={`of the newest ${count(data.of.rollouts)}`} className="mb-5">
              <ul className="border-t">
                {data.rollouts.map((rollout) => (
                  <li key={rollout.id} className={ROW}>
                    <Link
                      href={`/rollouts/${encodeURIComponent(rollout.id)}`}
                      className="rows-link mono min-w-0 flex-1 truncate"
                      title={rollout.task}
                    >
                      {rollout.task}
                    </Link>
                    <VerdictTag verdict={rollout.verdict} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </>
      )}
    </aside>
  );
}

function said({ q }: SearchFilter, known: boolean): string {
  if (q === null) return "Incidents and rollouts that say the same words appear here.";
  return known ? "None of the newest incidents and rollouts says these words." : "Looking at incidents and rollouts …";
}
