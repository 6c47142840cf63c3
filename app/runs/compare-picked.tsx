import Link from "next/link";
import { Button, buttonLook } from "@/app/_ui/button";
import { compareHref } from "@/app/compare/compare-parsers";
import type { RunSummary } from "@/server/domain/answers";
import { pickedPair } from "./picked";

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
