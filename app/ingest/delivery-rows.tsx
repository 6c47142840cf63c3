"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { API } from "@/app/_client/api";
import { ask, callUrl } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { Empty } from "@/app/_ui/states";
import { PagedSection } from "@/app/_ui/table/paged-section";
import type { BatchAnswer } from "@/server/domain/answers";
import { deliveryColumns } from "./delivery-columns";

const UndoDialog = dynamic(() => import("@/app/_ui/undo-dialog").then((module) => module.UndoDialog), { ssr: false });

/** The button at the end of a line. */
function undoColumn(take: (batch: BatchAnswer) => void) {
  return {
    id: "undo",
    head: "",
    name: "Take back",
    num: true,
    width: "44px",
    cell: (batch: BatchAnswer) => (
      <Button
        look="quiet"
        size="small"
        aria-label={`Take back ${batch.name ?? batch.source}`}
        title="Take back …"
        onClick={() => take(batch)}
      >
        <Undo2 aria-hidden="true" />
      </Button>
    ),
  };
}

/** What was delivered, newest first; each can be taken back. */
export function DeliveryRows() {
  const answer = useInfiniteQuery(ask.batches());
  const [undo, setUndo] = useState<BatchAnswer | null>(null);
  const columns = useMemo(() => [...deliveryColumns(), undoColumn(setUndo)], []);
  return (
    <>
      <PagedSection
        title="Deliveries"
        order="newest first"
        what="The deliveries"
        answer={answer}
        csv={{ url: `${API}/batches`, fileName: "coalmine-deliveries.csv" }}
        empty={<Empty title="Drop a file above, or paste one of the commands." />}
        caption="Deliveries"
        columns={columns}
        rowKey={(batch) => batch.id}
      />
      {undo && (
        <UndoDialog
          what={`the delivery ${undo.name ?? undo.source}`}
          url={callUrl("/batches", undo.id)}
          onClose={() => setUndo(null)}
        />
      )}
    </>
  );
}
