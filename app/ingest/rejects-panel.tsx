"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ask, callUrl } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { count } from "@/app/_ui/format";
import { Shown, SkeletonRows } from "@/app/_ui/states";
import { CsvButton } from "@/app/_ui/table/csv-button";
import type { RejectAnswer } from "@/server/domain/reject-answer";

/** What of a delivery could not be read: the line, the reason, and what stood there. */
export function RejectsPanel({ batch, onClose }: { batch: string; onClose(): void }) {
  const answer = useInfiniteQuery(ask.rejects(batch));
  const rows = answer.data?.pages.flatMap((page) => page.items);
  return (
    <Dialog
      open
      onClose={onClose}
      as="panel"
      title="Records that could not be read"
      description="They are kept here and enter no number."
    >
      <div className="mb-2 flex items-center text-small text-mut">
        {rows && `${count(rows.length)}${answer.hasNextPage ? " and more" : ""}, by line`}
        <span className="ml-auto">
          <CsvButton url={`${callUrl("/batches", batch)}/rejects`} fileName="coalmine-rejects.csv" />
        </span>
      </div>
      <Shown what="The rejects" answer={{ ...answer, data: rows }} loading={<SkeletonRows rows={8} />}>
        {(shown) =>
          shown.length === 0 ? (
            <p className="text-mut">Every record of this delivery was read.</p>
          ) : (
            <RejectList rejects={shown} />
          )
        }
      </Shown>
      {answer.hasNextPage && (
        <Button className="mt-3" onClick={() => void answer.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Dialog>
  );
}

function RejectList({ rejects }: { rejects: readonly RejectAnswer[] }) {
  return (
    <ol>
      {rejects.map((reject) => (
        <li key={`${reject.line} ${reject.code}`} className="border-b py-2">
          <p className="flex items-baseline gap-3">
            <span className="tabular text-mut">line {reject.line}</span>
            <span className="mono text-bad">{reject.code}</span>
            <span className="min-w-0">{reject.message}</span>
          </p>
          <p className="mono mt-1 max-h-24 overflow-hidden rounded-sm bg-sub px-2 py-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {reject.sample || "(nothing)"}
          </p>
        </li>
      ))}
    </ol>
  );
}
