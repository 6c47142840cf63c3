"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { actOf } from "./keys";

const KeyHelp = dynamic(() => import("./key-help").then((module) => module.KeyHelp), { ssr: false });

/** How long a `g` waits for its second key. */
const WAIT_MS = 1200;

/** Listens for the keys of the whole page, and for clicks on rows. */
export function Shortcuts() {
  const router = useRouter();
  const [help, setHelp] = useState(false);
  const before = useRef<{ key: string; at: number } | null>(null);

  const onKey = useCallback(
    (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("[role=dialog]")) return;
      const recent =
        before.current !== null && event.timeStamp - before.current.at < WAIT_MS ? before.current.key : null;
      const act = actOf(
        { key: event.key, modified: event.ctrlKey || event.metaKey || event.altKey, writing: isWriting(event.target) },
        recent,
      );
      before.current = { key: event.key, at: event.timeStamp };
      if (act === null) return openRow(event);
      event.preventDefault();
      if (act.do === "help") setHelp(true);
      if (act.do === "go") router.push(act.href);
      if (act.do === "search") {
        const field = document.querySelector<HTMLElement>("[data-search]");
        if (field) field.focus();
        else router.push("/search");
      }
      if (act.do === "move") moveRow(act.by);
    },
    [router],
  );

  useEffect(() => {
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", clickRow);
    // Keys pressed before now were kept until the page says so.
    document.documentElement.dataset.keys = "heard";
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("click", clickRow);
    };
  }, [onKey]);

  return help ? <KeyHelp onClose={() => setHelp(false)} /> : null;
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}

/** Moves the focus to the next row on the page; from none to the first that is in sight. */
function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const inSight = rows.findIndex((row) => row.getBoundingClientRect().top > 60);
  const next = rows[at < 0 ? Math.max(0, inSight) : Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

function openRow(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLElement) || !event.target.matches("[data-row]")) return;
  event.target.querySelector<HTMLElement>("[data-open]")?.click();
}

/** A click beside a row's links follows the one that opens it, unless the reader marks text. */
function clickRow(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.target.closest("a, button, input, label")) return;
  if (window.getSelection()?.isCollapsed === false) return;
  const link = event.target.closest("[data-row]")?.querySelector<HTMLElement>("[data-open]");
  link?.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey }),
  );
}
