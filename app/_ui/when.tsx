"use client";

import { useReader } from "@/app/_client/reader";
import { brief, day, full, minute, precise, second, shortDay } from "./clock";
import { ago, NOTHING } from "./format";

const WAYS = { brief, day, shortDay, minute, second, full, precise };

interface WhenProps {
  /** ISO 8601; null = not known. */
  at: string | null;
  /** `ago` in lists; the whole time is always in the title. */
  as?: keyof typeof WAYS | "ago";
}

/** A time in the reader's zone. */
export function When({ at, as = "full" }: WhenProps) {
  const { zone, now } = useReader();
  if (at === null) return <span className="text-mut">{NOTHING}</span>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={`${full(ms, zone)} ${zone.name}`} className="tabular whitespace-nowrap">
      {as === "ago" ? ago(ms, now) : WAYS[as](ms, zone)}
    </time>
  );
}
