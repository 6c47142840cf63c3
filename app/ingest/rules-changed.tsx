"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useRef } from "react";
import { apiUrl, change } from "@/app/_client/api";
import { ask } from "@/app/_client/questions";
import { Button } from "@/app/_ui/button";
import { count, percent, plural } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Failed } from "@/app/_ui/states";
import type { ReclassifyAnswer } from "@/server/domain/reclassify";

const RulesPreview = dynamic(() => import("./rules-preview").then((module) => module.RulesPreview), { ssr: false });
const LOOK_MS = 1000;

/** When formats or rules have changed: what that would change of what is stored, and the change. Nothing is shown when all is current. */
export function RulesChanged() {
  const client = useQueryClient();
  const question = ask.reclassify();
  const answer = useQuery({
    ...question,
    refetchInterval: ({ state }) => (state.data && state.data.state !== "idle" ? LOOK_MS : false),
  });
  const start = useMutation({
    mutationFn: (preview: boolean) => change<ReclassifyAnswer>("POST", apiUrl("/reclassify"), { preview }),
    onSuccess: (state) => client.setQueryData(question.queryKey, state ?? undefined),
  });
  const cancel = useMutation({
    mutationFn: () => change<ReclassifyAnswer>("POST", apiUrl("/reclassify/cancel")),
    onSuccess: (state) => client.setQueryData(question.queryKey, state ?? undefined),
  });
  const running = answer.data?.state === "running";
  useOnEnd(running, () => void client.invalidateQueries());
  const state = answer.data;
  if (!state || (isCurrent(state) && state.state === "idle" && state.problem === null)) return null;
  return (
    <Section
      title={state.unread.deliveries > 0 ? "The formats have changed" : "The rules have changed"}
      note={noteOf(state)}
      actions={
        <Actions
          state={state}
          busy={start.isPending || cancel.isPending}
          onStart={start.mutate}
          onCancel={() => cancel.mutate()}
        />
      }
    >
      <p aria-live="polite">{said(state)}</p>
      {state.problem !== null && <p className="text-bad">{state.problem}</p>}
      {cancel.error && <Failed what="The cancelling" error={cancel.error} />}
      {start.error && <Failed what="The reclassifying" error={start.error} />}
      {state.preview !== null && state.state === "idle" && <RulesPreview preview={state.preview} />}
    </Section>
  );
}

interface ActionsProps {
  state: ReclassifyAnswer;
  busy: boolean;
  onStart(preview: boolean): void;
  onCancel(): void;
}

function Actions({ state, busy, onStart, onCancel }: ActionsProps) {
  if (state.state !== "idle")
    return (
      <Button size="small" look="quiet" disabled={busy} onClick={onCancel}>
        Cancel
      </Button>
    );
  return (
    <>
      <Button
        size="small"
        look={state.preview === null ? undefined : "quiet"}
        disabled={busy}
        onClick={() => onStart(true)}
      >
        {state.preview === null ? "Preview" : "Preview again"}
      </Button>
      {state.preview !== null && (
        <Button size="small" disabled={busy} onClick={() => onStart(false)}>
          {state.unread.deliveries > 0 ? "Read all by today's formats" : "Judge all by today's rules"}
        </Button>
      )}
    </>
  );
}

function isCurrent({ stale, unread }: ReclassifyAnswer): boolean {
  return stale === 0 && unread.deliveries === 0;
}

/** `3 deliveries were read by an older version · about 120 pieces of evidence were judged by other rules`. */
function noteOf({ stale, unread }: ReclassifyAnswer): string {
  const were = (n: number) => (n === 1 ? "was" : "were");
  const read = `${plural(unread.deliveries, "delivery", "deliveries")} ${were(unread.deliveries)} read by an older version`;
  const judged = `about ${plural(stale, "piece")} of evidence ${were(stale)} judged by other rules`;
  return [unread.deliveries > 0 ? read : "", stale > 0 ? judged : ""].filter(Boolean).join(" · ");
}

function said({ state, done, total, preview }: ReclassifyAnswer): string {
  if (state === "idle")
    return preview === null ? "A preview says what today's would change of it; it changes nothing." : "";
  const share = total === 0 ? "" : ` · ${percent(Math.min(1, done / total), 0)}`;
  const doing = state === "running" ? "Reading and judging" : "Looking";
  return `${doing} … ${count(done)} of about ${count(total)}${share}`;
}

/** Calls `then` when something that went on has ended. */
function useOnEnd(goesOn: boolean, then: () => void): void {
  const before = useRef(goesOn);
  useEffect(() => {
    if (before.current && !goesOn) then();
    before.current = goesOn;
  });
}
