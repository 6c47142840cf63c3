import Link from "next/link";
import type { ReactNode } from "react";
import { Command } from "./command";
import { Empty } from "./states";

interface NothingSentProps {
  title: string;
  /** What brings it, before the command that does. */
  children: ReactNode;
  command: string;
}

/** A store that lacks what the page is about: the exact command to send it, and the other ways to get there. */
export function NothingSent({ title, children, command }: NothingSentProps) {
  return (
    <Empty title={title}>
      <p>{children}</p>
      <div className="mt-3 mb-2 text-ink">
        <Command text={command} what="the command" />
      </div>
      <p>
        Or{" "}
        <Link href="/ingest" className="rows-link">
          drop files, or point a collector here
        </Link>
        .
      </p>
    </Empty>
  );
}
