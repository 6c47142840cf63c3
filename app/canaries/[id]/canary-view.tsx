"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw, Square } from "lucide-react";
import Link from "next/link";
import { Suspense, useCallback } from "react";
import { change } from "@/app/_client/api";
import { callUrl } from "@/app/_client/questions";
import { behind } from "@/app/_ui/behind";
import { Button, buttonLook } from "@/app/_ui/button";
import { CopyLink } from "@/app/_ui/copy-button";
import { PageFrame } from "@/app/_ui/page-frame";
import { holdUnits } from "@/app/_ui/sentence-parts";
import { Shown, Skeleton } from "@/app/_ui/states";
import { type CanaryAnswer, isOver } from "@/server/domain/canary";
import { askCanaries } from "../canary-questions";
import { StateTag } from "../state-tag";
import { useCanaryLog } from "./use-canary-log";

// Their code comes behind the first paint.
const CanaryFigures = behind(() => import("./canary-figures").then((module) => module.CanaryFigures));
const PlanPicture = behind(() => import("./plan-picture").then((module) => module.PlanPicture));
const CanaryBelow = behind(() => import("./canary-below").then((module) => module.CanaryBelow));

/** One run: what it says, its picture, its cycles step by step; live while it goes on. */
export function CanaryView({ id }: { id: string }) {
  const answer = useQuery(askCanaries.run(id));
  return (
    <Shown what="The canary" answer={answer} loading={<Skeleton height={400} className="m-8" />}>
      {(run) => <Known run={run} />}
    </Shown>
  );
}

function Known({ run }: { run: CanaryAnswer }) {
  const client = useQueryClient();
  const reread = useCallback(
    () => void client.invalidateQueries({ queryKey: askCanaries.run(run.id).queryKey }),
    [client, run.id],
  );
  const { log, line } = useCanaryLog(run.id, reread);
  const state = isOver(run.state) ? run.state : (log.state ?? run.state);
  const result = run.result ?? log.result;
  const notes = run.notes.length >= log.notes.length ? run.notes : log.notes;
  return (
    <PageFrame
      trail={[{ name: "Canaries", href: "/canaries" }, { name: `${run.plan} on ${run.target}` }]}
      chips={<StateTag state={state} result={result} />}
      actions={
        <>
          {isOver(state) ? <Again run={run} /> : <Cancel id={run.id} cancelling={state === "cancelling"} />}
          <CopyLink />
        </>
      }
    >
      <div className="mb-5 max-w-[860px]" aria-live="polite">
        <h1 className="text-title font-semibold tracking-[-0.015em]">
          {holdUnits(
            result?.sentence ??
              log.progress?.text ??
              (state === "queued" ? "Waiting for another run on this target." : "Starting …"),
          )}
        </h1>
        {line === "lost" && <p className="mt-1 text-warn">The live line is lost; trying again.</p>}
        {notes.map((note) => (
          <p key={note} className="mt-1 text-mut">
            {note}
          </p>
        ))}
      </div>
      <CanaryFigures run={run} state={state} log={log} />
      <PlanPicture plan={run.plan} result={result} points={log.points} />
      {/* What is told step by step comes after the page; what stands below waits for it and is not moved. */}
      <Suspense>{(log.last > 0 || line !== "open") && <CanaryBelow run={run} cycles={log.cycles} />}</Suspense>
    </PageFrame>
  );
}

function Cancel({ id, cancelling }: { id: string; cancelling: boolean }) {
  const cancel = useMutation({ mutationFn: () => change("POST", `${callUrl("/canaries", id)}/cancel`) });
  const busy = cancelling || cancel.isPending || cancel.isSuccess;
  return (
    <Button look="danger" disabled={busy} onClick={() => cancel.mutate()}>
      <Square aria-hidden="true" /> {busy ? "Cancelling …" : cancel.isError ? "Failed, again?" : "Cancel"}
    </Button>
  );
}

function Again({ run }: { run: CanaryAnswer }) {
  return (
    <Link
      href={`/canaries?${new URLSearchParams({ target: run.target, plan: run.plan, options: JSON.stringify(run.options) })}#run`}
      className={buttonLook()}
    >
      <RotateCcw aria-hidden="true" /> Run again
    </Link>
  );
}
