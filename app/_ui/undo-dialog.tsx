"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { change } from "@/app/_client/api";
import type { UndoAnswer } from "@/server/domain/product-answers";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { plural } from "./format";
import { Failed, Shown, Skeleton } from "./states";

interface UndoDialogProps {
  /** What goes, as the object of "Remove …". */
  what: string;
  /** The call that removes it; with `preview=true` it only says how much that is. */
  url: string;
  /** Where to go afterwards, when the page itself is gone. */
  leadsTo?: string;
  onClose(): void;
}

/** Shows what an undo would remove before it does. */
export function UndoDialog({ what, url, leadsTo, onClose }: UndoDialogProps) {
  const router = useRouter();
  const client = useQueryClient();
  const preview = useQuery({
    queryKey: ["undo", url],
    queryFn: async ({ signal }) => previewOf(url, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => change<UndoAnswer>("DELETE", url),
    onSuccess: async () => {
      if (leadsTo !== undefined) router.push(leadsTo);
      else router.refresh();
      onClose();
      await client.invalidateQueries();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Remove ${what}?`}>
      <Shown what="What it would remove" answer={preview} loading={<Skeleton height={40} />}>
        {(undo) => (
          <p>
            This removes {plural(undo.batches, "delivery", "deliveries")} with {plural(undo.rollouts, "rollout")} and{" "}
            {plural(undo.observations, "piece")} of evidence, and works out again all that they touched. Sending the
            same files again brings them back.
          </p>
        )}
      </Shown>
      {remove.error && <Failed what="The removal" error={remove.error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Keep</Button>
        <Button look="danger" disabled={remove.isPending || preview.data === undefined} onClick={() => remove.mutate()}>
          {remove.isPending ? "Removing …" : "Remove"}
        </Button>
      </div>
    </Dialog>
  );
}

/** The API previews a removal under the method that removes; asking changes nothing. */
async function previewOf(url: string, signal: AbortSignal): Promise<UndoAnswer> {
  signal.throwIfAborted();
  const answer = await change<UndoAnswer>("DELETE", `${url}${url.includes("?") ? "&" : "?"}preview=true`);
  return answer ?? { preview: true, batches: 0, rollouts: 0, observations: 0 };
}
