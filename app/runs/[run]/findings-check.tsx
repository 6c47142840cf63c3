"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_ui/button";
import type { CanaryCheck } from "@/server/findings/finding";

const CheckDialog = dynamic(() => import("./findings-check-dialog").then((module) => module.CheckDialog), {
  ssr: false,
});

/** Offers the canary that shows whether a change helps. */
export function CheckButton({ check, about }: { check: CanaryCheck; about: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Check with canary: ${about}`}>
        Check with canary
      </Button>
      {open && <CheckDialog check={check} about={about} onClose={() => setOpen(false)} />}
    </>
  );
}
