import { FamilyBar } from "@/app/_ui/family-mark";
import { count, percent, rateSize } from "@/app/_ui/format";
import { IntervalPlot } from "@/app/_ui/interval-plot";
import { fractionEnd } from "@/app/_ui/scale";
import { Section } from "@/app/_ui/section";
import { Chip } from "@/app/_ui/tag";
import type { ConfigShare } from "@/server/domain/answers";
import { RowsLink } from "./rows-link";

/** What each of the run's configs lost. One config alone compares with nothing: the table is left out. */
export function ConfigPlot({ run, configs }: { run: string; configs: readonly ConfigShare[] }) {
  if (configs.length < 2) return null;
  const end = fractionEnd(configs.flatMap((one) => (one.infraFailed ? [one.infraFailed.high] : [])));
  return (
    <Section title="By config" note="where this run's rollouts differ">
      <table className="grid-table">
        <caption className="sr-only">Configs of the run with rollouts lost</caption>
        <thead>
          <tr>
            <th scope="col">Differs by</th>
            <th scope="col" className="num">
              Lost
            </th>
            <th scope="col" className="w-[236px] max-md:hidden">
              <span className="flex justify-between font-normal">
                <span>Share, 0</span> <span>{percent(end, 0)}</span>
              </span>
            </th>
            <th scope="col" className="w-40 max-sm:hidden">
              Families
            </th>
          </tr>
        </thead>
        <tbody>
          {configs.map((one) => (
            <ConfigRow key={one.configKey ?? "unknown"} run={run} one={one} end={end} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function ConfigRow({ run, one, end }: { run: string; one: ConfigShare; end: number }) {
  const differs = Object.entries(one.differs);
  return (
    <tr>
      <th scope="row">
        <span className="flex flex-wrap gap-1">
          {one.configKey === null && <span className="text-mut">config not known</span>}
          {differs.map(([path, value]) => (
            <Chip key={path} title={`${path}: ${value}`}>
              {path.split(".").at(-1)} {String(value)}
            </Chip>
          ))}
          {one.configKey !== null && differs.length === 0 && <span className="mono">{one.configKey}</span>}
        </span>
      </th>
      <td className="num">
        {one.configKey === null ? (
          `${count(one.infraFailed?.k ?? 0)}/${count(one.rollouts)}`
        ) : (
          <RowsLink run={run} filter={{ verdict: "infra_failed", config: one.configKey }}>
            {one.infraFailed === null ? count(one.rollouts) : rateSize(one.infraFailed)}
          </RowsLink>
        )}
      </td>
      <td className="max-md:hidden">
        <IntervalPlot rate={one.infraFailed} end={end} width={220} />
      </td>
      <td className="max-sm:hidden">
        <FamilyBar counts={one.byFamily} />
      </td>
    </tr>
  );
}
