import Link from "next/link";
import { plural } from "@/app/_ui/format";
import { FactList } from "@/app/_ui/panel/fact-list";
import { Section } from "@/app/_ui/section";
import { When } from "@/app/_ui/when";
import { nodeHref } from "@/app/nodes/[node]/node-href";
import type { RolloutDetail } from "@/server/domain/rollout-detail";

/** What the record says, and what was worked out of it. */
export function RolloutFacts({ detail }: { detail: RolloutDetail }) {
  const { run, node } = detail;
  return (
    <Section title="Rollout" className="mb-8 min-w-0">
      <div className="border-t pt-2">
        <FactList
          facts={[
            [
              "Run",
              run && (
                <Link href={`/runs/${encodeURIComponent(run)}`} className="rows-link">
                  {run}
                </Link>
              ),
            ],
            [
              "Task",
              <span key="task" className="mono">
                {detail.task}
              </span>,
            ],
            ["Index", detail.index],
            ["Attempt", detail.effective ? detail.attempt : `${detail.attempt}, does not count`],
            [
              "Node",
              node && (
                <Link href={nodeHref(node)} className="rows-link mono">
                  {node}
                </Link>
              ),
            ],
            ["Reward", detail.reward],
            ["Confidence", detail.confidence],
            ["Masked", detail.masked === true ? "by its producer; masked is not lost" : null],
            [
              "Suspect",
              detail.suspect ? "failed honestly as far as the record says, yet with a sign of infrastructure" : null,
            ],
            ["Saved", detail.absorbed > 0 ? `${plural(detail.absorbed, "failure")} that a retry absorbed` : null],
            ["Began", detail.startedAt && <When at={detail.startedAt} />],
            ["Ended", detail.endedAt && <When at={detail.endedAt} />],
            ["Agent", detail.agent],
            ["Config", detail.configKey && <span className="mono">{detail.configKey}</span>],
          ]}
        />
        <Settings config={detail.config} />
      </div>
    </Section>
  );
}

function Settings({ config }: { config: RolloutDetail["config"] }) {
  const settings = Object.entries(config);
  if (settings.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="w-fit text-small text-mut hover:text-ink">{plural(settings.length, "setting")}</summary>
      <ul className="mono mt-1 [overflow-wrap:anywhere]">
        {settings.map(([path, value]) => (
          <li key={path}>
            {path}: {String(value)}
          </li>
        ))}
      </ul>
    </details>
  );
}
