"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ask } from "@/app/_client/questions";
import { Sentence } from "@/app/_ui/sentence";
import { deliveriesSentence } from "./deliveries-words";

/** What came in last, in a sentence. */
export function DeliveriesSentence() {
  const { data } = useInfiniteQuery(ask.batches());
  const newest = data?.pages[0];
  return (
    <Sentence text={newest === undefined ? "Deliveries" : deliveriesSentence(newest.items, newest.next !== null)} />
  );
}
