"use client";

import { clsx } from "clsx";
import { Upload } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { buttonLook } from "@/app/_ui/button";
import { Field } from "@/app/_ui/field";
import { plural } from "@/app/_ui/format";
import { fromDrop, fromInput, type Picked } from "./pick-files";
import { useUploads } from "./use-uploads";

/** Takes files and folders, and for which run they are. */
export function DropZone() {
  const { queue } = useUploads();
  const [run, setRun] = useState("");
  const [source, setSource] = useState("");
  const [over, setOver] = useState(false);
  const [said, setSaid] = useState("");
  const take = ({ files, leftOut }: Picked) => {
    const left = queue.add(files, { run: run.trim() || null, source: source.trim() || null });
    const out = leftOut.map((one) => `${one.files} ${one.why}`);
    if (left > 0) out.push(`${left} empty or hidden`);
    const queued = `${plural(files.length - left, "file")} queued`;
    setSaid(out.length === 0 ? `${queued}.` : `${queued}, left out: ${out.join(", ")}.`);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void fromDrop(event.dataTransfer).then(take);
  };
  return (
    <section aria-label="Send files" className="mb-8">
      <div className="mb-3 grid gap-3 sm:grid-cols-2">
        <Field
          label="Run"
          name="run"
          value={run}
          onChange={(event) => setRun(event.target.value)}
          placeholder="as the records say"
          hint="For all of these files. Leave it empty for logs that several runs share."
        />
        <Field
          label="Source"
          name="source"
          value={source}
          onChange={(event) => setSource(event.target.value)}
          placeholder="the file's name"
          hint="What wrote them, e.g. harness or opensandbox-server."
        />
      </div>
      {/* Dropping is the pointer's way; both buttons inside do the same for the keyboard. */}
      <fieldset
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={clsx(
          "flex flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-8 text-center motion-safe:transition-colors",
          over ? "border-acc bg-sub" : "border-field",
        )}
      >
        <Invitation take={take} said={said} />
      </fieldset>
    </section>
  );
}

function Invitation({ take, said }: { take: (picked: Picked) => void; said: string }) {
  return (
    <>
      <legend className="sr-only">Drop files or a folder here</legend>
      <Upload aria-hidden="true" className="size-5 text-mut" />
      <p className="font-medium">Drop files or a folder</p>
      <p className="max-w-[460px] text-mut">
        Rollout records, job folders and their archives (zip, eval, tar, tar.gz), harness and server logs, exec daemon
        logs, kubectl output; plain, gzip, zstd or brotli, of any size. What each file is, is found out.
      </p>
      <div className="mt-1 flex gap-2">
        <Pick label="Choose files" onPick={take} />
        <Pick label="Choose a folder" folder onPick={take} />
      </div>
      <p aria-live="polite" className="text-small text-mut">
        {said}
      </p>
    </>
  );
}

function Pick({ label, folder = false, onPick }: { label: string; folder?: boolean; onPick(picked: Picked): void }) {
  const id = useId();
  return (
    <span className="has-focus-visible:rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-acc">
      <input
        id={id}
        type="file"
        multiple
        className="sr-only"
        {...(folder ? { webkitdirectory: "" } : {})}
        onChange={(event) => {
          if (event.target.files) onPick(fromInput(event.target.files));
          event.target.value = "";
        }}
      />
      <label htmlFor={id} className={buttonLook()}>
        {label}
      </label>
    </span>
  );
}
