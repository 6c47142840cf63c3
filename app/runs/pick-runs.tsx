"use client";

import Link from "next/link";
import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import { useCallback } from "react";
import { Button, buttonLook } from "@/app/_ui/button";
import type { Column } from "@/app/_ui/table/column";
import { compareHref } from "@/app/compare/compare-parsers";
import type { RunSummary } from "@/server/domain/answers";
import { pickedPair, togglePick } from "./picked";

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

/** Leads to the comparison once two runs are marked; until then it says so. */
export function ComparePicked({ picked, runs }: { picked: readonly string[]; runs: readonly RunSummary[] }) {
  const pair = pickedPair(picked, runs);
  if (pair === null) {
    const left = 2 - Math.min(1, picked.length);
    return (
      <Button look="primary" disabled title={`Mark ${left === 2 ? "two runs" : "one more run"} to compare`}>
        Compare…
      </Button>
    );
  }
  return (
    <Link href={compareHref(pair)} className={buttonLook({ look: "primary" })}>
      Compare 2
    </Link>
  );
}
