import type { Metadata } from "next";
import { Answered } from "@/app/_client/prefetch";
import { ask } from "@/app/_client/questions";
import { ClassesView } from "./classes-view";

export const metadata: Metadata = { title: "Classes" };

export default function ClassesPage() {
  return (
    <Answered questions={[ask.taxonomy(), ask.rules()]} path="/reference/classes">
      <ClassesView />
    </Answered>
  );
}
