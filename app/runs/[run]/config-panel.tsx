import { Command } from "@/app/_ui/command";
import { CopyButton } from "@/app/_ui/copy-button";
import { NOTHING } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Tag } from "@/app/_ui/tag";
import type { RunSummary } from "@/server/domain/answers";
import { type ConfigRow, configLines, configRows } from "./config-rows";

/** Settings as requested, and as Kubernetes says they were set. */
export function ConfigPanel({ run }: { run: RunSummary }) {
  const rows = configRows(run.config);
  return (
    <Section
      id="config"
      title="Config"
      note="requested, effective"
      className="mb-8 min-w-0"
      actions={rows.length > 0 && <CopyButton text={configLines(rows)} what="config" label="Copy" />}
    >
      {rows.length === 0 ? (
        <div className="border-t py-2 text-mut">
          <p className="mb-2">No setting of this run is known. Say them, or send the pods:</p>
          <Command
            what="command"
            text={`curl -X PUT $COALMINE_URL/api/v1/runs/${encodeURIComponent(run.id)} --json '{"config": {"resources.memory_mib": 2048}}'`}
          />
        </div>
      ) : (
        <table className="grid-table">
          <caption className="sr-only">Settings of the run, requested and effective</caption>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col" className="num">
                Requested
              </th>
              <th scope="col" className="num">
                Effective
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Setting key={row.path} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Setting({ row }: { row: ConfigRow }) {
  return (
    <tr>
      <th scope="row" className="mono [overflow-wrap:anywhere]">
        {row.path}
      </th>
      <td className="mono text-right [overflow-wrap:anywhere]">
        {row.requested || NOTHING} {row.varies && <Tag tone="warn">varies</Tag>}
      </td>
      <td className="mono text-right whitespace-nowrap">
        {row.effective ?? <span className="text-mut">{NOTHING}</span>} {row.differs && <Tag tone="bad">differs</Tag>}
      </td>
    </tr>
  );
}
