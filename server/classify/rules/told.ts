/** The same failure is told by its text, by a machine code or by an exception's class: conditions for all three. */
import type { Condition } from "../rule";

export interface Signs {
  text?: RegExp;
  type?: RegExp;
  code?: RegExp;
}

/** One condition per sign, each with the further demands of `base`. */
export function told(base: Condition, { text, type, code }: Signs): Condition[] {
  return [
    ...(text ? [{ ...base, message: text }] : []),
    ...(code ? [{ ...base, code }] : []),
    ...(type ? [{ ...base, errorType: type }] : []),
  ];
}
