"use client";

import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import { useCallback } from "react";
import type { Column } from "@/app/_ui/table/column";
import type { RunSummary } from "@/server/domain/answers";
import { togglePick } from "./picked";

const PICKED = parseAsArrayOf(parseAsString).withDefault([]);

/** The runs marked for comparing, in the URL. */
export function usePicked() {
  const [picked, setPicked] = useQueryState("pick", PICKED);
  const toggle = useCallback((id: string) => void setPicked((before) => orNull(togglePick(before, id))), [setPicked]);
  return { picked, toggle };
}

function orNull(picked: string[]): string[] | null {
  return picked.length === 0 ? null : picked;
}

/** A box before each run. */
export function pickColumn(picked: readonly string[], toggle: (id: string) => void): Column<RunSummary> {
  return {
    id: "pick",
    head: "",
    name: "Compare",
    cell: (run) => (
      <label className="grid size-6 place-items-center">
        <span className="sr-only">Compare {run.name}</span>
        <input
          type="checkbox"
          className="size-4 accent-acc"
          checked={picked.includes(run.id)}
          onChange={() => toggle(run.id)}
        />
      </label>
    ),
  };
}
