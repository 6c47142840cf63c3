"use client";

import { DeliveryRows } from "./delivery-rows";
import { IntakeNote } from "./intake-note";
import { RulesChanged } from "./rules-changed";

/** What is being read, what the rules would change, and what was delivered. */
export function IngestBelow() {
  return (
    <>
      <IntakeNote />
      <RulesChanged />
      <DeliveryRows />
    </>
  );
}
