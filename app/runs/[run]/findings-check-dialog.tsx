"use client";

import Link from "next/link";
import { Command } from "@/app/_ui/command";
import { Dialog } from "@/app/_ui/dialog";
import type { CanaryCheck } from "@/server/findings/finding";
import { checkCommand } from "./findings-links";

interface CheckDialogProps {
  check: CanaryCheck;
  about: string;
  onClose(): void;
}

/** The plan, its options, and the command that runs it. */
export function CheckDialog({ check, about, onClose }: CheckDialogProps) {
  return (
    <Dialog open onClose={onClose} title="Check it with a canary" description={about}>
      <p className="mb-3">
        The plan <code className="mono">{check.plan}</code> makes sandboxes of its own on a configured target, does the
        same there on purpose, and deletes them. Run it before the change and after it:
      </p>
      <Command what="command" text={checkCommand(check)} />
      <p className="mt-2 text-small text-mut">
        Put the name of a target from the server's configuration in place of TARGET. Exit code 0: passed, 1: failed. Or
        run it from{" "}
        <Link href={`/canaries?plan=${check.plan}`} className="rows-link">
          Canaries
        </Link>
        .
      </p>
    </Dialog>
  );
}
