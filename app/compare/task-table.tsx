"use client";

import Link from "next/link";
import { useMemo } from "react";
import { Section } from "@/app/_ui/section";
import { Empty } from "@/app/_ui/states";
import type { Column } from "@/app/_ui/table/column";
import { DataTable } from "@/app/_ui/table/data-table";
import { Tag } from "@/app/_ui/tag";
import type { CompareAnswer, TaskMovement, TaskSide } from "@/server/compare/answer";
import type { Moved } from "./compare-parsers";
import { tasksCsv } from "./csv";
import { SaveCsv } from "./save-csv";
import { Segments } from "./segments";

interface TaskTableProps {
  answer: CompareAnswer;
  moved: Moved;
  onMoved(moved: Moved): void;
}

/** Which tasks the candidate won and which it lost. */
export function TaskTable({ answer, moved, onMoved }: TaskTableProps) {
  const { tasks, movement } = answer;
  const shown = useMemo(() => tasks.filter((task) => isShown(task, moved)), [tasks, moved]);
  const columns = useMemo(
    () => taskColumns(answer.baseline.id, answer.candidate.id),
    [answer.baseline.id, answer.candidate.id],
  );
  const both = movement.won + movement.lost + movement.same;
  const apart = movement.baselineOnly + movement.candidateOnly;
  return (
    <Section
      title="Per task"
      note={`of ${both} in both runs, as reported${apart > 0 ? `; ${apart} in one run only` : ""}`}
      actions={<SaveCsv text={() => tasksCsv(shown)} fileName={["tasks", answer.baseline.id, answer.candidate.id]} />}
    >
      <div className="mb-2">
        <Segments<Moved>
          label="Which tasks"
          value={moved}
          onChange={onMoved}
          options={[
            { value: "moved", label: `Moved ${movement.won + movement.lost}` },
            { value: "won", label: `Won ${movement.won}` },
            { value: "lost", label: `Lost ${movement.lost}` },
            { value: "all", label: `All ${both}` },
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title={both === 0 ? "No task is in both runs." : "No task moved that way."} />
      ) : (
        <DataTable
          caption="Tasks in both runs"
          columns={columns}
          rows={shown}
          rowKey={(row) => row.task}
          opens
          sortParam="sort"
        />
      )}
    </Section>
  );
}

function isShown(task: TaskMovement, moved: Moved): boolean {
  if (moved === "all") return true;
  return moved === "moved" ? task.movement !== "same" : task.movement === moved;
}

const TONE = { won: "good", lost: "bad", same: "quiet" } as const;

function taskColumns(baseline: string, candidate: string): Column<TaskMovement>[] {
  return [
    {
      id: "task",
      head: "Task",
      rowHead: true,
      sort: (row) => row.task,
      cell: (row) => (
        <Link href={rowsOf(candidate, row.task)} data-open="" className="mono hover:text-acc [overflow-wrap:anywhere]">
          {row.task}
        </Link>
      ),
    },
    side("baseline", "Baseline", baseline),
    side("candidate", "Candidate", candidate),
    {
      id: "change",
      head: "Change",
      num: true,
      wide: true,
      sort: (row) => row.change,
      cell: (row) => changeText(row.change),
    },
    {
      id: "movement",
      head: "Moved",
      sort: (row) => row.movement,
      cell: (row) => <Tag tone={TONE[row.movement]}>{row.movement}</Tag>,
    },
  ];
}

function side(id: "baseline" | "candidate", head: string, run: string): Column<TaskMovement> {
  return {
    id,
    head,
    num: true,
    sort: (row) => row[id].passed / Math.max(1, row[id].rollouts),
    cell: (row) => <Passed run={run} task={row.task} side={row[id]} />,
  };
}

function Passed({ run, task, side: { passed, rollouts, infraFailed } }: { run: string; task: string; side: TaskSide }) {
  return (
    <>
      {infraFailed > 0 && <span className="mr-1.5 text-tiny text-bad max-md:hidden">{infraFailed} lost to infra</span>}
      <Link
        href={rowsOf(run, task)}
        className="rows-link hit"
        aria-label={`${passed} of ${rollouts} passed in ${run}, ${infraFailed} lost to infrastructure`}
      >
        {passed}/{rollouts}
      </Link>
    </>
  );
}

function rowsOf(run: string, task: string): string {
  return `/runs/${encodeURIComponent(run)}?task=${encodeURIComponent(task)}&verdict=all#rollouts`;
}

/** `+50 %` */
function changeText(change: number): string {
  const size = Math.round(Math.abs(change) * 100);
  return `${size === 0 ? "" : change > 0 ? "+" : "−"}${size} points`;
}
