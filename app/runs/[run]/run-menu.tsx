"use client";

import { Menu } from "@base-ui/react/menu";
import { MoreHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { callUrl } from "@/app/_client/questions";
import { buttonLook } from "@/app/_ui/button";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { downloadCsv } from "@/app/_ui/table/download-csv";
import type { RunSummary } from "@/server/domain/answers";

const UndoDialog = dynamic(() => import("@/app/_ui/undo-dialog").then((module) => module.UndoDialog), { ssr: false });
const SayDialog = dynamic(() => import("./say-dialog").then((module) => module.SayDialog), { ssr: false });

const ITEM = "block w-full cursor-default rounded-sm px-2.5 py-1 text-left outline-none data-highlighted:bg-sub";

/** What else can be done with a run. */
export function RunMenu({ run }: { run: RunSummary }) {
  const [open, setOpen] = useState<"say" | "remove" | null>(null);
  const csv = () => void downloadCsv(`${callUrl("/runs", run.id)}/rollouts`, `${fileStem(run.id, "rollouts")}.csv`);
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className={buttonLook({ size: "square" })} aria-label="More for this run">
          <MoreHorizontal aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="z-50 outline-none" align="end" sideOffset={4}>
            <Menu.Popup className="min-w-48 rounded-md border border-line2 bg-raise p-1 shadow-xl outline-none">
              <Menu.Item className={ITEM} onClick={csv}>
                All rollouts as CSV
              </Menu.Item>
              <Menu.LinkItem className={ITEM} href={callUrl("/runs", run.id)} target="_blank">
                Summary as JSON
              </Menu.LinkItem>
              <Menu.Separator className="my-1 h-px bg-line" />
              <Menu.Item className={ITEM} onClick={() => setOpen("say")}>
                Name, size and notes …
              </Menu.Item>
              <Menu.Item className={`${ITEM} text-bad`} onClick={() => setOpen("remove")}>
                Remove this run …
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {open === "say" && <SayDialog run={run} onClose={() => setOpen(null)} />}
      {open === "remove" && (
        <UndoDialog
          what={`the run ${run.name}`}
          url={callUrl("/runs", run.id)}
          leadsTo="/runs"
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
