import { clsx } from "clsx";
import { CopyButton } from "@/app/_ui/copy-button";
import { LinesAround } from "@/app/_ui/lines/lines-around";
import { FactList } from "@/app/_ui/panel/fact-list";
import { Tag } from "@/app/_ui/tag";
import { When } from "@/app/_ui/when";
import type { SourceClock } from "@/server/domain/rollout-detail";
import { type CertificateRow, clockText, shortText, sinceText } from "./certificate";

interface EvidenceRowProps {
  row: CertificateRow;
  unfolded: boolean;
  /** Set when the source's clock is off. */
  clock: SourceClock | null;
}

/** One line of evidence; unfolds to its raw text, which is never taken for markup. */
export function EvidenceRow({ row, unfolded, clock }: EvidenceRowProps) {
  const { line, sinceMs } = row;
  const bad = line.class !== null;
  return (
    // A new key folds or unfolds it with all others; after that it is the reader's.
    <details
      key={String(unfolded)}
      open={unfolded}
      className={clsx(
        "group relative",
        bad && "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-bad",
      )}
    >
      <summary className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 px-2 py-1 hover:bg-sub md:grid-cols-[92px_104px_84px_minmax(0,1fr)]">
        <span className="mono">
          <When at={line.at} as="precise" />
        </span>
        <span className="tabular text-right text-mut max-md:hidden">{sinceMs === null ? "" : sinceText(sinceMs)}</span>
        <span className="text-mut">
          {line.layer}
          {clock && (
            <span className="ml-1.5">
              <Tag tone="warn" title={clockText(clock)}>
                clock
              </Tag>
            </span>
          )}
        </span>
        <span className="min-w-0 max-md:col-span-2">
          {bad && (
            <span className="mr-2">
              <Tag tone="bad">{line.class}</Tag>
            </span>
          )}
          <span className="mono [overflow-wrap:anywhere]">{shortText(line.text).short}</span>
        </span>
      </summary>
      <Unfolded line={line} clock={clock} />
    </details>
  );
}

function Unfolded({ line, clock }: { line: CertificateRow["line"]; clock: SourceClock | null }) {
  return (
    <div className="bg-sub px-3 py-2">
      <div className="relative">
        <pre className="mono max-h-96 overflow-y-auto pr-10 leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]">
          {line.text}
        </pre>
        <div className="absolute top-0 right-0">
          <CopyButton text={line.text} what="line" />
        </div>
      </div>
      <div className="mt-2 text-small">
        <FactList
          facts={[
            [
              "Source",
              <span key="source" className="[overflow-wrap:anywhere]">
                {line.source}
              </span>,
            ],
            ["Kind", line.kind],
            ["Node", line.node],
            ["Rule", line.rule && <span className="mono">{line.rule}</span>],
            ["Clock", clock && clockText(clock)],
          ]}
        />
      </div>
      {line.raw && <LinesAround raw={line.raw} />}
    </div>
  );
}
