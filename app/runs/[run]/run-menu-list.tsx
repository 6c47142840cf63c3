"use client";

import { Menu } from "@base-ui/react/menu";
import { MoreHorizontal } from "lucide-react";
import { callUrl } from "@/app/_client/questions";
import { buttonLook } from "@/app/_ui/button";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { downloadCsv } from "@/app/_ui/table/download-csv";
import type { RunSummary } from "@/server/domain/answers";
import { MENU_LABEL } from "./run-menu";

const ITEM = "block w-full cursor-default rounded-sm px-2.5 py-1 text-left outline-none data-highlighted:bg-sub";

interface RunMenuListProps {
  run: RunSummary;
  onSay(): void;
  onRemove(): void;
}

/** The menu itself; it comes open, because reaching for it is why it came. */
export function RunMenuList({ run, onSay, onRemove }: RunMenuListProps) {
  const csv = () => void downloadCsv(`${callUrl("/runs", run.id)}/rollouts`, `${fileStem(run.id, "rollouts")}.csv`);
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={buttonLook({ size: "square" })} aria-label={MENU_LABEL}>
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
            <Menu.Item className={ITEM} onClick={onSay}>
              Name, size and notes …
            </Menu.Item>
            <Menu.Item className={`${ITEM} text-bad`} onClick={onRemove}>
              Remove this run …
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
