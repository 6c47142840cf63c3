"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useCallback, useMemo, useState } from "react";
import { API } from "@/app/_client/api";
import { ask, callUrl } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { count } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import { DataTable } from "@/app/_ui/table/data-table";
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
  const rows = useMemo(() => answer.data?.pages.flatMap((page) => page.items), [answer.data]);
  const columns = useMemo(() => [...deliveryColumns(), undoColumn(setUndo)], []);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Section
      title="Deliveries"
      note={rows && `${count(rows.length)}${hasNextPage ? " and more" : ""}, newest first`}
      actions={<CsvButton url={`${API}/batches`} fileName="coalmine-deliveries.csv" />}
    >
      <Shown what="The deliveries" answer={{ ...answer, data: rows }} loading={<SkeletonRows rows={8} />}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty title="Nothing was delivered yet.">Drop a file above, or paste one of the commands.</Empty>
          ) : (
            <DataTable caption="Deliveries" columns={columns} rows={shown} rowKey={(batch) => batch.id} onEnd={more} />
          )
        }
      </Shown>
      {hasNextPage && (
        <Button look="quiet" className="mt-2" disabled={isFetchingNextPage} onClick={more}>
          Show more
        </Button>
      )}
      {undo && (
        <UndoDialog
          what={`the delivery ${undo.name ?? undo.source}`}
          url={callUrl("/batches", undo.id)}
          onClose={() => setUndo(null)}
        />
      )}
    </Section>
  );
}
