"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { type FormEvent, useMemo, useState } from "react";
import { API, change } from "@/app/_client/api";
import { Button } from "@/app/_ui/button";
import { Choice } from "@/app/_ui/choice";
import { Section } from "@/app/_ui/section";
import type { CanarySummary, PlanAnswer, TargetAnswer } from "@/server/domain/canary";
import { askCanaries } from "./canary-questions";
import { optionFields, optionsFrom, optionsInLink, textIn } from "./option-fields";
import { OptionInput } from "./option-input";

/** Runs a plan: target, plan and options stand in the URL, so that a page can lead here with all chosen. */
export function RunForm({ targets }: { targets: readonly TargetAnswer[] }) {
  const plans = useQuery(askCanaries.plans()).data?.items ?? [];
  const [asked, setAsked] = useQueryStates({ target: parseAsString, plan: parseAsString, options: parseAsString });
  const target = targets.find((one) => one.name === asked.target) ?? targets[0];
  const allowed = plans.filter((plan) => target?.bounds.plans.includes(plan.name));
  const plan = allowed.find((one) => one.name === asked.plan) ?? allowed[0];
  if (!target || !plan) return null;
  const options = targets.map(({ name }) => ({ value: name, label: name }));
  return (
    <Section title="Run a plan" note={plan.title} id="run">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Choice
          label="Target"
          value={target.name}
          options={options}
          onChange={(next) => void setAsked({ target: next })}
        />
        <Choice
          label="Plan"
          value={plan.name}
          options={allowed.map(({ name }) => ({ value: name, label: name }))}
          onChange={(next) => void setAsked({ plan: next, options: null })}
        />
      </div>
      <PlanForm key={`${target.name} ${plan.name}`} target={target} plan={plan} given={optionsInLink(asked.options)} />
    </Section>
  );
}

interface PlanFormProps {
  target: TargetAnswer;
  plan: PlanAnswer;
  /** Options that a link brought. */
  given: Record<string, unknown>;
}

function PlanForm({ target, plan, given }: PlanFormProps) {
  const router = useRouter();
  const client = useQueryClient();
  const fields = useMemo(() => optionFields(plan.options), [plan.options]);
  const [mistake, setMistake] = useState<string | null>(null);
  const start = useMutation({
    mutationFn: (options: Record<string, unknown>) =>
      change<CanarySummary>("POST", `${API}/canaries`, { target: target.name, plan: plan.name, options }),
    onSuccess: (run) => {
      void client.invalidateQueries({ queryKey: ["/canaries"] });
      if (run) router.push(`/canaries/${run.id}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = optionsFrom(fields, (name) => String(form.get(name) ?? ""));
    setMistake("error" in read ? read.error : null);
    if ("options" in read) start.mutate(read.options);
  };
  const said = mistake ?? start.error?.message ?? null;
  return (
    <form onSubmit={submit}>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {fields
          .filter((field) => !field.setup)
          .map((field) => (
            <OptionInput key={field.path.join(".")} field={field} text={textIn(field, given)} />
          ))}
      </div>
      <details className="mt-3" open={fields.some((field) => field.setup && textIn(field, given) !== "")}>
        <summary className="text-mut hover:text-ink">Sandboxes and connections</summary>
        <div className="mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
          {fields
            .filter((field) => field.setup)
            .map((field) => (
              <OptionInput key={field.path.join(".")} field={field} text={textIn(field, given)} />
            ))}
        </div>
      </details>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" disabled={start.isPending}>
          <Play aria-hidden="true" /> {start.isPending ? "Starting …" : `Run ${plan.name} on ${target.name}`}
        </Button>
        <span className="text-small text-mut">
          At most {target.bounds.maxConcurrent} sandboxes at once and {target.bounds.maxDurationS} s; all are deleted at
          the end.
        </span>
      </div>
      {said !== null && (
        <p role="alert" className="mt-2 text-bad">
          {said}
        </p>
      )}
    </form>
  );
}
