"use client";

import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { PageFrame } from "@/app/_ui/page-frame";
import { DeliveryRows } from "./delivery-rows";
import { DropZone } from "./drop-zone";
import { REJECTS_PARAM } from "./rejects-link";
import { UploadList } from "./upload-list";
import { WaysToSend } from "./ways-to-send";

const RejectsPanel = dynamic(() => import("./rejects-panel").then((module) => module.RejectsPanel), { ssr: false });

/** How data comes in, what came, and what of it could not be read. */
export function IngestView({ address }: { address: string }) {
  const [rejects, setRejects] = useQueryState(REJECTS_PARAM);
  return (
    <PageFrame trail={[{ name: "Deliveries" }]}>
      <h1 className="sr-only">Deliveries</h1>
      <div className="grid gap-x-10 lg:grid-cols-2">
        <div className="min-w-0">
          <DropZone />
          <UploadList />
        </div>
        <div className="min-w-0">
          <WaysToSend address={address} />
        </div>
      </div>
      <DeliveryRows />
      {rejects !== null && <RejectsPanel batch={rejects} onClose={() => void setRejects(null)} />}
    </PageFrame>
  );
}
