/** How many of K marked items a random draw of n out of N holds. */
import { CoalmineError } from "@/server/domain/errors";
import { logChoose } from "./log-gamma";

/** `terms[i]` = P(X = from + i); everything outside is 0, or too small to be kept. */
export interface Distribution {
  from: number;
  terms: Float64Array;
}

/** Terms below this are about to run out of exponent. */
const SMALLEST = 1e-300;

/** Terms below `drop` are left off both ends. Throws `invalid` unless all are whole and 0 ≤ marked, drawn ≤ total. */
export function hypergeometric(total: number, marked: number, drawn: number, drop = SMALLEST): Distribution {
  for (const count of [total, marked, drawn]) {
    if (!Number.isSafeInteger(count) || count < 0 || count > total) {
      throw new CoalmineError("invalid", `${drawn} drawn from ${total} with ${marked} marked is no draw`);
    }
  }
  const first = Math.max(0, drawn + marked - total);
  const last = Math.min(marked, drawn);
  const mode = Math.min(last, Math.max(first, Math.floor(((drawn + 1) * (marked + 1)) / (total + 2))));
  const peak = Math.exp(logChoose(marked, mode) + logChoose(total - marked, drawn - mode) - logChoose(total, drawn));
  const above = outwards(
    peak,
    drop,
    mode,
    last,
    (x) => ((marked - x) * (drawn - x)) / ((x + 1) * (total - marked - drawn + x + 1)),
  );
  const below = outwards(
    peak,
    drop,
    mode,
    first,
    (x) => (x * (total - marked - drawn + x)) / ((marked - x + 1) * (drawn - x + 1)),
  );
  const terms = Float64Array.from([...below.reverse(), peak, ...above]);
  // All terms share the rounding of the peak's logarithm, so their sum takes it out.
  const sum = terms.reduce((acc, term) => acc + term, 0);
  return { from: mode - below.length, terms: terms.map((term) => term / sum) };
}

/** Terms beyond the mode towards `end`, by the ratio of neighbours, until they no longer matter. */
function outwards(peak: number, drop: number, mode: number, end: number, ratio: (x: number) => number): number[] {
  const step = end > mode ? 1 : -1;
  const terms: number[] = [];
  let term = peak;
  for (let x = mode; x !== end; x += step) {
    term *= ratio(x);
    if (term < drop) break;
    terms.push(term);
  }
  return terms;
}
