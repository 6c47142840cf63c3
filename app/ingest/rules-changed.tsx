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

/** When the rules have changed: what that would change of what is stored, and the change. Nothing is shown when all is current. */
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
  const running = answer.data?.state === "running";
  useOnEnd(running, () => void client.invalidateQueries());
  const state = answer.data;
  if (!state || (state.stale === 0 && state.state === "idle" && state.problem === null)) return null;
  return (
    <Section
      title="The rules have changed"
      note={`about ${plural(state.stale, "piece")} of evidence ${state.stale === 1 ? "was" : "were"} judged by others`}
      actions={<Actions state={state} busy={start.isPending} onStart={start.mutate} />}
    >
      <p aria-live="polite">{said(state)}</p>
      {state.problem !== null && <p className="text-bad">{state.problem}</p>}
      {start.error && <Failed what="The reclassifying" error={start.error} />}
      {state.preview !== null && state.state === "idle" && <RulesPreview preview={state.preview} />}
    </Section>
  );
}

interface ActionsProps {
  state: ReclassifyAnswer;
  busy: boolean;
  onStart(preview: boolean): void;
}

function Actions({ state, busy, onStart }: ActionsProps) {
  const disabled = busy || state.state !== "idle";
  return (
    <>
      <Button
        size="small"
        look={state.preview === null ? undefined : "quiet"}
        disabled={disabled}
        onClick={() => onStart(true)}
      >
        {state.preview === null ? "Preview" : "Preview again"}
      </Button>
      {state.preview !== null && (
        <Button size="small" disabled={disabled} onClick={() => onStart(false)}>
          Judge all by today's rules
        </Button>
      )}
    </>
  );
}

function said({ state, done, total, preview }: ReclassifyAnswer): string {
  if (state === "idle")
    return preview === null ? "A preview says what today's rules would change of it; it changes nothing." : "";
  const share = total === 0 ? "" : ` · ${percent(Math.min(1, done / total), 0)}`;
  const doing = state === "running" ? "Judging" : "Looking";
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
