import { CopyButton } from "@/app/_ui/copy-button";
import { NOTHING, percent, plural } from "@/app/_ui/format";
import { place } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";

interface PathFound {
  path: string;
  boundaryS: number | null;
  precisionS: number | null;
  how: "fin" | "reset" | "silent" | "none" | "unreachable";
  advertisedS: number | null;
  seenS: number[];
}

interface RunGaps {
  n: number;
  inDanger: number;
  share: number;
}

const HOW = {
  fin: "closed by the peer (FIN)",
  reset: "reset by the peer",
  silent: "dropped in silence",
  none: "still open at the limit",
  unreachable: "not reachable",
} as const;

const WIDTH = 320;

/** When each path ends an idle connection, and what clients should be set to. */
export function BoundaryPicture({ detail }: { detail: Record<string, unknown> }) {
  const paths = (detail.paths ?? []) as PathFound[];
  const advice = typeof detail.adviceS === "number" ? detail.adviceS : null;
  const gaps = (detail.runGaps ?? null) as RunGaps | null;
  const end = Math.max(1, ...paths.map((one) => one.boundaryS ?? 0)) * 1.1;
  return (
    <Section title="Idle timeout by path" note="seconds after which an idle connection is ended">
      <div className="scroll-x">
        <table className="grid-table">
          <caption className="sr-only">Idle timeout by path</caption>
          <thead>
            <tr>
              <th scope="col">Path</th>
              <th scope="col" className="num">
                Boundary
              </th>
              <th scope="col">{`0 – ${end.toFixed(1)} s${advice === null ? "" : `, advice ${advice} s dashed`}`}</th>
              <th scope="col">How it ended</th>
              <th scope="col" className="num">
                Advertised
              </th>
            </tr>
          </thead>
          <tbody>
            {paths.map((one) => (
              <tr key={one.path}>
                <th scope="row">{one.path}</th>
                <td className="num">
                  {one.boundaryS === null ? NOTHING : `${one.boundaryS.toFixed(2)} s ± ${one.precisionS} s`}
                </td>
                <td>
                  <Bar found={one} end={end} advice={advice} />
                </td>
                <td>{HOW[one.how]}</td>
                <td className="num">{one.advertisedS === null ? NOTHING : `${one.advertisedS} s`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {advice !== null && <Advice seconds={advice} />}
      {gaps && (
        <p className="mt-2">
          {`${gaps.inDanger} of ${plural(gaps.n, "idle gap")} of the named run (${percent(gaps.share)}) fall into the danger window.`}
        </p>
      )}
    </Section>
  );
}

function Bar({ found, end, advice }: { found: PathFound; end: number; advice: number | null }) {
  const x = (seconds: number) => place(seconds, end, WIDTH);
  const said = found.boundaryS === null ? HOW[found.how] : `open for ${found.boundaryS.toFixed(2)} s`;
  return (
    <svg width={WIDTH} height={18} role="img" aria-label={said} className="block max-w-full">
      <title>{said}</title>
      <line x1={x(0)} x2={x(end)} y1={9} y2={9} className="plot-axis" />
      {found.boundaryS !== null && <line x1={x(0)} x2={x(found.boundaryS)} y1={9} y2={9} className="plot-interval" />}
      {found.seenS.map((seconds) => (
        <circle key={seconds} cx={x(seconds)} cy={9} r={3.5} className="plot-point" />
      ))}
      {advice !== null && <line x1={x(advice)} x2={x(advice)} y1={1} y2={17} className="plot-expected" />}
    </svg>
  );
}

function Advice({ seconds }: { seconds: number }) {
  const line = `keepalive_expiry: ${seconds}`;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2">
      Set every client of this server to at most 0.6 of the boundary:
      <code className="mono rounded-sm bg-sub px-1.5">{line}</code>
      <CopyButton text={line} what="the setting" />
    </p>
  );
}
