"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { change } from "@/app/_client/api";
import { ask, callUrl } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { bytes, percent } from "@/app/_ui/format";
import { When } from "@/app/_ui/when";
import type { UploadAnswer } from "@/server/domain/upload";
import { useUploads } from "./use-uploads";

/** Large files of which the server has a part, and that nobody on this page is sending. Nothing is shown when there are none. */
export function UnfinishedUploads() {
  const { state } = useUploads();
  const answer = useQuery(ask.uploads());
  const open = new Set(
    state.uploads.filter((one) => one.state === "sending" || one.state === "waiting").map((one) => one.path),
  );
  const left = answer.data?.items.filter(
    (one) => one.state === "receiving" && one.offset < one.size && !open.has(one.name),
  );
  if (!left || left.length === 0) return null;
  return (
    <section aria-label="Unfinished uploads" className="mb-8">
      <h2 className="mb-1 font-medium">Unfinished uploads</h2>
      <p className="mb-2 text-mut">
        Choose the same file again, with the same run and source, and it goes on where it stopped.
      </p>
      <ul className="border-t">
        {left.map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload }: { upload: UploadAnswer }) {
  const client = useQueryClient();
  const giveUp = useMutation({
    mutationFn: () => change("DELETE", callUrl("/uploads", upload.id)),
    onSettled: () => client.invalidateQueries({ queryKey: ["/uploads"] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-b py-1">
      <span className="mono min-w-0 flex-1 truncate" title={upload.name}>
        {upload.name}
      </span>
      {upload.run !== null && <span className="text-mut">run {upload.run}</span>}
      <span className="tabular text-small text-mut">
        {percent(upload.offset / upload.size, 0)} of {bytes(upload.size)}, begun <When at={upload.createdAt} as="ago" />
      </span>
      <Button look="quiet" size="small" disabled={giveUp.isPending} onClick={() => giveUp.mutate()}>
        Give up
      </Button>
    </li>
  );
}
