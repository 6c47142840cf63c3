"use client";

import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { Live } from "@/app/_client/live";
import { PageFrame } from "@/app/_ui/page-frame";
import { DeliveriesSentence } from "./deliveries-sentence";
import { DeliveryRows } from "./delivery-rows";
import { DropZone } from "./drop-zone";
import { IntakeNote } from "./intake-note";
import { REJECTS_PARAM } from "./rejects-link";
import { RulesChanged } from "./rules-changed";
import { UnfinishedUploads } from "./unfinished-uploads";
import { useUploads } from "./use-uploads";

const UploadList = dynamic(() => import("./upload-list").then((module) => module.UploadList), { ssr: false });
// Drawn on the server too: on a narrow screen it is the largest thing in sight.
const WaysToSend = dynamic(() => import("./ways-to-send").then((module) => module.WaysToSend));
const RejectsPanel = dynamic(() => import("./rejects-panel").then((module) => module.RejectsPanel), { ssr: false });

/** How data comes in, what came, and what of it could not be read. */
export function IngestView({ address }: { address: string }) {
  const [rejects, setRejects] = useQueryState(REJECTS_PARAM);
  const { state } = useUploads();
  return (
    <PageFrame trail={[{ name: "Deliveries" }]}>
      <DeliveriesSentence />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <div className="min-w-0">
          <DropZone />
          {state.uploads.length > 0 && <UploadList />}
          <UnfinishedUploads />
        </div>
        <div className="min-w-0">
          <WaysToSend address={address} />
        </div>
      </div>
      <IntakeNote />
      <RulesChanged />
      <DeliveryRows />
      <Live topic="deliveries" />
      {rejects !== null && <RejectsPanel batch={rejects} onClose={() => void setRejects(null)} />}
    </PageFrame>
  );
}
