"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { API, change } from "@/app/_client/api";
import { Button } from "./button";

/** Loads the made-up fleet in place of nothing. */
export function LoadDemo() {
  const client = useQueryClient();
  const router = useRouter();
  const load = useMutation({
    mutationFn: () => change("POST", `${API}/demo`),
    onSuccess: async () => {
      router.refresh();
      await client.invalidateQueries();
    },
  });
  return (
    <div className="flex flex-col items-end gap-1">
      <Button look="primary" disabled={load.isPending} onClick={() => load.mutate()}>
        {load.isPending ? "Loading the demo fleet …" : "Load the demo fleet"}
      </Button>
      <p aria-live="polite" className="text-small text-bad">
        {load.error?.message}
      </p>
    </div>
  );
}
