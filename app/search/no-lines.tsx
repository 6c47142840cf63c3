import { NothingSent } from "@/app/_ui/nothing-sent";
import { Empty } from "@/app/_ui/states";
import type { SearchFilter } from "./search-parsers";

/** Nothing found: what may be the reason, or how lines come in. */
export function NoLines({ filter }: { filter: SearchFilter }) {
  const { parts, ...given } = filter;
  if (Object.values(given).every((value) => value === null)) {
    return (
      <NothingSent title="No line is kept yet." command="coalmine ingest logs/ --run my-run">
        Send logs and every line of them can be found here, without secrets:
      </NothingSent>
    );
  }
  return (
    <Empty title="No line matches.">
      {parts
        ? "No line within this run, pod or hour holds all of it."
        : "Whole words are looked for, all of them in one line. Parts of words can be looked for within a run, a pod or an hour; fewer filters look through more."}
    </Empty>
  );
}
