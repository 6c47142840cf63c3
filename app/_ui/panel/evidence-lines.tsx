import type { EvidenceLine } from "@/server/domain/answers";
import { duration } from "../format";
import { LinesAround } from "../lines/lines-around";
import { Tag } from "../tag";
import { When } from "../when";
import { placeLines } from "./evidence-gaps";

/** Lines of evidence by time, as text: nothing in them is ever markup. */
export function EvidenceLines({ lines, truncated = false }: { lines: readonly EvidenceLine[]; truncated?: boolean }) {
  if (lines.length === 0) {
    return <p className="text-mut">No line of evidence is kept. Only the record itself says so.</p>;
  }
  return (
    <>
      <ol className="border-l border-line2">
        {placeLines(lines).map(({ line, key, gapMs }) => (
          <li key={key}>
            {gapMs !== null && (
              <p className="py-0.5 pl-3 text-tiny text-mut">
                <span aria-hidden="true">⋯ </span>
                {duration(gapMs)} of silence
              </p>
            )}
            <Line line={line} />
          </li>
        ))}
      </ol>
      {truncated && <p className="mt-2 text-small text-mut">There is more evidence than is shown here.</p>}
    </>
  );
}

function Line({ line }: { line: EvidenceLine }) {
  return (
    <div
      className={
        line.class === null
          ? "relative py-1 pl-3"
          : "relative py-1 pl-3 before:absolute before:top-1 before:bottom-1 before:-left-px before:w-0.5 before:bg-bad"
      }
    >
      <p className="flex flex-wrap items-center gap-x-2 text-tiny text-mut">
        <span className="mono text-tiny text-ink">
          <When at={line.at} as="precise" />
        </span>
        <span>{line.layer}</span>
        <span className="break-all">{line.source}</span>
        {line.node && <span>on {line.node}</span>}
        {line.class && (
          <Tag tone="bad" title={line.rule === null ? undefined : `Rule ${line.rule}`}>
            {line.class}
          </Tag>
        )}
      </p>
      <p className="mono leading-[17px] break-words whitespace-pre-wrap [overflow-wrap:anywhere]">{line.text}</p>
      {line.raw && <LinesAround raw={line.raw} />}
    </div>
  );
}
