"use client";

import { Progress } from "@base-ui/react/progress";
import { RotateCcw, X } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { bytes, count, duration, percent, plural } from "@/app/_ui/format";
import type { LeftOut } from "@/server/domain/batch";
import { RejectsLink } from "./rejects-link";
import { timeLeft } from "./upload-progress";
import type { Upload, UploadQueue, UploadsState } from "./upload-queue";
import { useUploads } from "./use-uploads";

/** Files under way and those just sent. */
export function UploadList() {
  const { state, queue } = useUploads();
  if (state.uploads.length === 0) return null;
  const open = state.uploads.some((upload) => ["waiting", "sending", "reading"].includes(upload.state));
  return (
    <section aria-label="Uploads" className="mb-8">
      <Total state={state} open={open} queue={queue} />
      <ul className="max-h-96 overflow-y-auto border-t">
        {state.uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

function Total({ state, open, queue }: { state: UploadsState; open: boolean; queue: UploadQueue }) {
  const counted = state.uploads.filter((upload) => upload.state !== "cancelled" && upload.state !== "failed");
  const size = counted.reduce((sum, upload) => sum + upload.size, 0);
  const sent = counted.reduce((sum, upload) => sum + (upload.state === "done" ? upload.size : upload.sent), 0);
  const left = timeLeft(size - sent, state.rate);
  const done = state.uploads.filter((upload) => upload.state === "done").length;
  const parts = [`${done} of ${plural(state.uploads.length, "file")}`, `${bytes(sent)} of ${bytes(size)}`];
  if (open && state.rate !== null) parts.push(`${bytes(state.rate)}/s`);
  if (open && left !== null && sent < size) parts.push(`${duration(left)} left`);
  return (
    <div className="mb-2">
      <div className="mb-1.5 flex items-center gap-3">
        <p className="tabular font-medium">{parts.join(" · ")}</p>
        <div className="ml-auto flex gap-1">
          {open ? (
            <Button size="small" onClick={() => queue.cancelAll()}>
              Cancel all
            </Button>
          ) : (
            <Button size="small" look="quiet" onClick={() => queue.clear()}>
              Clear
            </Button>
          )}
        </div>
      </div>
      <Bar value={size === 0 ? 0 : sent / size} label="All files" />
    </div>
  );
}

function Bar({ value, label }: { value: number; label: string }) {
  return (
    <Progress.Root value={Math.round(value * 100)} aria-label={label}>
      <Progress.Track className="h-1.5 overflow-hidden rounded-full bg-line">
        <Progress.Indicator className="block h-full rounded-full bg-acc motion-safe:transition-[width]" />
      </Progress.Track>
    </Progress.Root>
  );
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const open = ["waiting", "sending", "reading"].includes(upload.state);
  const again = upload.state === "failed" || upload.state === "cancelled";
  return (
    <li className="flex items-center gap-3 border-b py-1">
      <span className="mono min-w-0 flex-1 truncate" title={upload.path}>
        {upload.path}
      </span>
      <span className="tabular text-small text-mut max-sm:hidden">{bytes(upload.size)}</span>
      <span className="tabular max-w-[65%] shrink-0 truncate text-right text-small" aria-live="polite">
        <Said upload={upload} />
      </span>
      <span className="w-7">
        {open && (
          <Button
            look="quiet"
            size="small"
            aria-label={`Cancel ${upload.path}`}
            onClick={() => queue.cancel(upload.id)}
          >
            <X aria-hidden="true" />
          </Button>
        )}
        {again && (
          <Button
            look="quiet"
            size="small"
            aria-label={`Send ${upload.path} again`}
            onClick={() => queue.retry(upload.id)}
          >
            <RotateCcw aria-hidden="true" />
          </Button>
        )}
      </span>
    </li>
  );
}

function Said({ upload }: { upload: Upload }) {
  const { state, result } = upload;
  if (state === "sending") return percent(upload.sent / upload.size, 0);
  if (state === "failed")
    return (
      <span className="text-bad" title={upload.error ?? ""}>
        {upload.error}
      </span>
    );
  if (state !== "done" || result === null) return state;
  if (result.duplicateBatch) return "already known, nothing changed";
  return (
    <>
      {count(result.records)} records as {result.format}
      {result.rollouts > 0 && `, ${plural(result.rollouts, "rollout")}`}
      {result.rejected > 0 && (
        <>
          , <RejectsLink batch={result.batchId}>{count(result.rejected)} not read</RejectsLink>
        </>
      )}
      <LeftOutNote leftOut={result.leftOut ?? []} />
    </>
  );
}

/** Of an archive: how many of its files were not read; why on hover and for readers of the page aloud. */
function LeftOutNote({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const files = leftOut.reduce((sum, one) => sum + one.files, 0);
  if (files === 0) return null;
  const why = leftOut.map((one) => `${count(one.files)} ${one.why}`).join(", ");
  return (
    <span title={why}>
      , {plural(files, "file")} left out<span className="sr-only">: {why}</span>
    </span>
  );
}
