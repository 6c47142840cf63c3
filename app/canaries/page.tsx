import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { CanariesView } from "./canaries-view";
import { askCanaries } from "./canary-questions";

export const metadata: Metadata = { title: "Canaries" };

export default function CanariesPage() {
  const questions = [askCanaries.targets(), askCanaries.plans(), askCanaries.schedules(), askCanaries.runs(null)];
  return (
    <Answered questions={questions} path="/canaries">
      <CanariesView />
    </Answered>
  );
}
