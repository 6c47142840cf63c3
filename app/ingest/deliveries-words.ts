/** The page of deliveries in a sentence. Pure. */
import { count, plural } from "@/app/_ui/format";
import type { BatchAnswer } from "@/server/domain/answers";

/** Of the newest deliveries; `more`: older ones exist. */
export function deliveriesSentence(deliveries: readonly BatchAnswer[], more: boolean): string {
  if (deliveries.length === 0) return "Nothing was delivered yet.";
  const sum = (of: (one: BatchAnswer) => number) => deliveries.reduce((total, one) => total + of(one), 0);
  const [records, rejected] = [sum((one) => one.records), sum((one) => one.rejected)];
  const many = `${more ? "The newest " : ""}${plural(deliveries.length, "delivery", "deliveries")}`;
  const brought = `${many} brought ${plural(records, "record")}`;
  return rejected === 0
    ? `${brought}; every one was read.`
    : `${brought}; ${count(rejected)} of them could not be read.`;
}
