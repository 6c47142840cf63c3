"use client";

import { useQuery } from "@tanstack/react-query";
import { behind } from "@/app/_ui/behind";
import { CopyLink } from "@/app/_ui/copy-button";
import { PageFrame } from "@/app/_ui/page-frame";
import { Sentence } from "@/app/_ui/sentence";
import { Shown, SkeletonRows } from "@/app/_ui/states";
import { sentenceOfTargets } from "./canaries-sentence";
import { askCanaries } from "./canary-questions";
import { NoTargets } from "./no-targets";

// Drawn on the server too; its code comes behind the first paint, and only where there is a target.
const KnownTargets = behind(() => import("./known-targets").then((module) => module.KnownTargets));

/** Targets with their lights, a form that runs a plan, what ran, what is scheduled, what was left behind. */
export function CanariesView() {
  const answer = useQuery(askCanaries.targets());
  return (
    <PageFrame trail={[{ name: "Canaries" }]} actions={<CopyLink />}>
      <Sentence text={answer.data ? sentenceOfTargets(answer.data.items) : "Canaries"} />
      <Shown what="The targets" answer={answer} loading={<SkeletonRows rows={8} />}>
        {({ items }) => (items.length === 0 ? <NoTargets /> : <KnownTargets targets={items} />)}
      </Shown>
    </PageFrame>
  );
}
