import type { Metadata } from "next";
import { headers } from "next/headers";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { addressOf } from "@/app/_client/server-address";
import { IngestView } from "./ingest-view";

export const metadata: Metadata = { title: "Deliveries" };

export default async function IngestPage() {
  const address = addressOf(await headers());
  return (
    <Answered questions={[ask.batches()]} path="/ingest">
      <IngestView address={address} />
    </Answered>
  );
}
