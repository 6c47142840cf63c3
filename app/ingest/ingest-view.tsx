"use client";

import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { Live } from "@/app/_client/live";
import { PageFrame } from "@/app/_ui/page-frame";
import { Skeleton } from "@/app/_ui/states";
import { DeliveriesSentence } from "./deliveries-sentence";
import { REJECTS_PARAM } from "./rejects-link";

// Drawn on the server too; their code comes behind the first paint.
const SendFiles = dynamic(() => import("./send-files").then((module) => module.SendFiles), {
  loading: () => <Skeleton height={330} className="mb-8" />,
});
const WaysToSend = dynamic(() => import("./ways-to-send").then((module) => module.WaysToSend));
const IngestBelow = dynamic(() => import("./ingest-below").then((module) => module.IngestBelow));
const RejectsPanel = dynamic(() => import("./rejects-panel").then((module) => module.RejectsPanel), { ssr: false });

/** How data comes in, what came, and what of it could not be read. */
export function IngestView({ address }: { address: string }) {
  const [rejects, setRejects] = useQueryState(REJECTS_PARAM);
  return (
    <PageFrame trail={[{ name: "Deliveries" }]}>
      <DeliveriesSentence />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <div className="min-w-0">
          <SendFiles />
        </div>
        <div className="min-w-0">
          <WaysToSend address={address} />
        </div>
      </div>
      <IngestBelow />
      <Live topic="deliveries" />
      {rejects !== null && <RejectsPanel batch={rejects} onClose={() => void setRejects(null)} />}
    </PageFrame>
  );
}
