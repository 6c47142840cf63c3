import { FamilySwatch } from "@/app/_ui/family-mark";
import { PanelLink } from "@/app/_ui/panel/panel-state";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { RolloutDetail } from "@/server/domain/rollout-detail";

/** What happened to it, fatal or not. */
export function RolloutIncidents({ detail }: { detail: RolloutDetail }) {
  if (detail.incidents.length === 0) return null;
  return (
    <Section title="Incidents" note={`${detail.incidents.length}`} className="mb-8 min-w-0">
      <ul className="border-t">
        {detail.incidents.map((incident) => (
          <li key={incident.id} className="flex items-baseline gap-2 border-b py-1">
            <FamilySwatch family={incident.family} />
            <span className="min-w-0 flex-1">
              <PanelLink incident={incident.id} page={`/rollouts/${encodeURIComponent(detail.id)}`}>
                {incident.title}
              </PanelLink>
            </span>
            <Tag tone={incident.outcome === "fatal" ? "bad" : "plain"}>{incident.outcome}</Tag>
            <span className="text-mut">
              <When at={incident.firstAt} as="second" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
