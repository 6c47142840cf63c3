"use client";

import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { Live } from "@/app/_client/live";
import { behind } from "@/app/_ui/behind";
import { PageFrame } from "@/app/_ui/page-frame";
import { DeliveriesSentence } from "./deliveries-sentence";
import { REJECTS_PARAM } from "./rejects-link";

// Drawn on the server too; their code comes behind the first paint.
const SendFiles = behind(() => import("./send-files").then((module) => module.SendFiles));
const WaysToSend = behind(() => import("./ways-to-send").then((module) => module.WaysToSend));
const IngestBelow = behind(() => import("./ingest-below").then((module) => module.IngestBelow));
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
