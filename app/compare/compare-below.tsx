"use client";

import type { ComponentProps } from "react";
import { BeforeQuoting } from "./before-quoting";
import { ConfigTable } from "./config-table";
import { FamilyTable } from "./family-table";
import { TaskTable } from "./task-table";

/** What moved, family by family and task by task, and what else differs between the runs. */
export function CompareBelow({ answer, moved, onMoved }: ComponentProps<typeof TaskTable>) {
  return (
    <>
      <FamilyTable answer={answer} />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <ConfigTable answer={answer} />
        <BeforeQuoting answer={answer} />
      </div>
      <TaskTable answer={answer} moved={moved} onMoved={onMoved} />
    </>
  );
}
