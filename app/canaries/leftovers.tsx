"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { Choice } from "@/app/_ui/choice";
import { CopyButton } from "@/app/_ui/copy-button";
import { duration, NOTHING, plural } from "@/app/_ui/format";
import { SearchField } from "@/app/_ui/search-field";
import { Section } from "@/app/_ui/section";
import { Empty, Shown, SkeletonRows } from "@/app/_ui/states";
import type { Column } from "@/app/_ui/table/column";
import { DataTable } from "@/app/_ui/table/data-table";
import { Tag } from "@/app/_ui/tag";
import type { LeftoverAnswer, TargetAnswer } from "@/server/domain/canary";
import { askCanaries } from "./canary-questions";

const WHOSE = { ours: "our canary", other: "another installation's canary", user: "a run's sandbox" } as const;

const COLUMNS: readonly Column<LeftoverAnswer>[] = [
  { id: "sandbox", head: "Sandbox", rowHead: true, cell: (one) => <span className="mono">{one.sandbox}</span> },
  {
    id: "whose",
    head: "Whose",
    cell: (one) => <Tag tone={one.whose === "ours" ? "warn" : "plain"}>{WHOSE[one.whose]}</Tag>,
  },
  { id: "run", head: "Run", wide: true, cell: (one) => one.run ?? NOTHING },
  {
    id: "age",
    head: "Age",
    num: true,
    sort: (one) => one.ageS,
    cell: (one) => (one.ageS === null ? NOTHING : duration(one.ageS * 1000)),
  },
  {
    id: "command",
    head: "Delete it with",
    cell: (one) => (
      <span className="flex items-center gap-1">
        <code className="mono max-w-80 truncate text-mut" title={one.command}>
          {one.command}
        </code>
        <CopyButton text={one.command} what="the command" />
      </span>
    ),
  },
];

/** What is still there on a target: canaries', or a run's by its label. Nothing here is deleted by looking. */
export function Leftovers({ targets }: { targets: readonly TargetAnswer[] }) {
  const [asked, setAsked] = useQueryStates({ left: parseAsString, leftRun: parseAsString });
  const options = targets.map(({ name }) => ({ value: name, label: name }));
  return (
    <Section
      title="Leftovers"
      note="sandboxes that are still there; our own dead engines' are deleted by themselves within a minute or two"
    >
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Choice
          label="Look at"
          value={asked.left}
          any="No target"
          options={options}
          onChange={(left) => void setAsked({ left })}
        />
        {asked.left !== null && (
          <SearchField
            label="Run label (empty: canaries)"
            value={asked.leftRun}
            onChange={(leftRun) => void setAsked({ leftRun })}
          />
        )}
      </div>
      {asked.left !== null && <Found target={asked.left} run={asked.leftRun} />}
    </Section>
  );
}

function Found({ target, run }: { target: string; run: string | null }) {
  const answer = useQuery(askCanaries.leftovers(target, run));
  return (
    <Shown what="The sandboxes" answer={answer} loading={<SkeletonRows rows={3} />}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title={run === null ? "No canary sandbox is left there." : `No sandbox of run ${run} is there.`} />
        ) : (
          <>
            <DataTable
              caption={`Sandboxes on ${target}`}
              columns={COLUMNS}
              rows={items}
              rowKey={(one) => one.sandbox}
            />
            {items.length > 1 && (
              <p className="mt-2 flex items-center gap-2 text-mut">
                {plural(items.length, "sandbox", "sandboxes")}
                <CopyButton
                  text={items.map((one) => one.command).join("\n")}
                  what="all commands"
                  label="Copy all commands"
                />
              </p>
            )}
          </>
        )
      }
    </Shown>
  );
}
