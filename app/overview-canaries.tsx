"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { TargetAnswer } from "@/server/domain/canary";
import { When } from "./_ui/when";
import { askCanaries } from "./canaries/canary-questions";
import { StateTag } from "./canaries/state-tag";

const EVERY_MS = 30_000;

/** A light for each canary target: what its newest smoke or scheduled run said, and when. Nothing where none is configured. */
export function CanaryLights() {
  const targets = useQuery({ ...askCanaries.targets(), refetchInterval: EVERY_MS }).data?.items ?? [];
  if (targets.length === 0) return null;
  return (
    <section aria-label="Canaries" className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-1.5 border-y py-2">
      <Link href="/canaries" className="text-small text-mut hover:text-ink">
        Canaries
      </Link>
      <ul className="flex flex-wrap items-center gap-x-5 gap-y-1.5">
        {targets.map((target) => (
          <li key={target.name} className="inline-flex items-center gap-1.5">
            <Light target={target} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Light({ target: { name, light } }: { target: TargetAnswer }) {
  if (light === null) {
    return (
      <>
        <b className="font-medium">{name}</b> <span className="text-mut">no smoke run yet</span>
      </>
    );
  }
  return (
    <>
      <StateTag state={light.state} result={light.result} />
      <Link href={`/canaries/${light.id}`} className="font-medium hover:underline">
        {name}
      </Link>
      <span className="text-mut">
        {light.plan} <When at={light.endedAt} as="ago" />
      </span>
    </>
  );
}
