"use client";

import { useQuery } from "@tanstack/react-query";
import { ask } from "@/app/_client/questions";
import { bytes, plural } from "@/app/_ui/format";
import { When } from "@/app/_ui/when";
import type { Intake } from "@/server/domain/intake";

const LOOK_MS = 15_000;
const SHOWN = 5;

/** Says when senders are asked to come again later: the queue is full, or a source sends more than it may. Else nothing. */
export function IntakeNote() {
  const { data } = useQuery({ ...ask.intake(), refetchInterval: LOOK_MS });
  if (!data || (data.slowed.length === 0 && !isFull(data))) return null;
  return (
    <section aria-label="Senders asked to wait" className="mb-6 border-l-2 border-warn-line pl-3">
      {isFull(data) && (
        <p>
          {plural(data.deliveries.underWay, "delivery", "deliveries")} are under way, as many as there may be: others
          wait.
        </p>
      )}
      {data.slowed.slice(0, SHOWN).map((one) => (
        <p key={one.source}>
          <span className="mono">{one.source}</span> sends more than {bytes(data.sourceBytesPerMinute ?? 0)} a minute:{" "}
          {plural(one.refused, "delivery", "deliveries")} asked to come again within the last hour, last{" "}
          <When at={one.lastRefusedAt} as="ago" />
          {one.retryAfterS > 0 && `; it may go on in ${one.retryAfterS} s`}.
        </p>
      ))}
      {data.slowed.length > SHOWN && <p>{plural(data.slowed.length - SHOWN, "more source")} as well.</p>}
    </section>
  );
}

function isFull({ deliveries }: Intake): boolean {
  return deliveries.underWay >= deliveries.most;
}
