import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { RunsView } from "./runs-view";

export const metadata: Metadata = { title: "Runs" };

export default function RunsPage() {
  return (
    <Answered questions={[ask.runs()]} path="/runs">
      <RunsView />
    </Answered>
  );
}
