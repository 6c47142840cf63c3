"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { change } from "@/app/_client/api";
import { callUrl } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { Field } from "@/app/_ui/field";
import { Failed } from "@/app/_ui/states";
import type { RunSummary } from "@/server/domain/answers";

/** What a person knows of a run and its records do not say. */
export function SayDialog({ run, onClose }: { run: RunSummary; onClose(): void }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (said: ReturnType<typeof saidIn>) => change("PUT", callUrl("/runs", run.id), said),
    onSuccess: async () => {
      await client.invalidateQueries();
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(saidIn(new FormData(event.currentTarget)));
  };
  return (
    <Dialog open onClose={onClose} title="What is known of this run">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Name" name="name" defaultValue={run.name} />
        <Field
          label="Planned rollouts"
          name="planned"
          type="number"
          min={0}
          defaultValue={run.planned ?? ""}
          hint="Empty: not known. What is planned and never arrives counts as missing once the run has ended."
        />
        <Field label="Notes" name="notes" defaultValue={run.notes ?? ""} lines={3} />
        {save.error && <Failed what="The answer" error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {save.isPending ? "Saving …" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function saidIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim() || null;
  const planned = text("planned");
  return { name: text("name"), planned: planned === null ? null : Number(planned), notes: text("notes") };
}
