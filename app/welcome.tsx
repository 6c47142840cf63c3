"use client";

import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "@/app/_ui/button";
import { Command } from "@/app/_ui/command";
import { LoadDemo } from "@/app/_ui/load-demo";
import { cliSnippet, curlSnippet } from "@/app/_ui/snippets";

/** An empty store: what this is, how to send data, and a made-up fleet to look around in. */
export function Welcome({ address }: { address: string }) {
  return (
    <div className="max-w-[760px]">
      <h1 className="text-title font-semibold tracking-[-0.015em]">
        Which rollouts did the infrastructure lose, and why?
      </h1>
      <p className="mt-1 mb-8 text-mut">
        Coalmine reads what your rollouts, sandbox servers, exec daemons and Kubernetes left behind, tells
        infrastructure's failures from the agent's own, and says on which node and under which setting they happened.
        Nothing leaves this machine.
      </p>
      <ol className="flex flex-col gap-6">
        <Way n={1} title="Send files from a terminal" note="rollout records, logs, kubectl output; folders too">
          <Command what="command" text={cliSnippet(address)} />
        </Way>
        <Way n={2} title="Send them with curl" note="from where nothing can be installed">
          <Command what="command" text={curlSnippet(address)} />
        </Way>
        <Way n={3} title="Drop them here" note="or have a collector send them as they are written">
          <Link href="/ingest" className={buttonLook({ look: "plain" })}>
            Open Deliveries
          </Link>
        </Way>
      </ol>
      <div className="mt-10 flex flex-wrap items-center gap-4 rounded-lg border border-dashed border-line2 px-4 py-4">
        <FlaskConical aria-hidden="true" className="size-5 text-mut" />
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">No data at hand?</p>
          <p className="text-mut">
            The demo fleet is made up: three runs of one benchmark, told by the files that a real fleet would leave. It
            is marked as such everywhere and goes with one click.
          </p>
        </div>
        <LoadDemo />
      </div>
    </div>
  );
}

function Way({ n, title, note, children }: { n: number; title: string; note: string; children: React.ReactNode }) {
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden="true"
        className="tabular flex size-6 items-center justify-center rounded-full border border-line2 text-small text-mut"
      >
        {n}
      </span>
      <div>
        <h2 className="font-semibold">
          {title} <span className="font-normal text-mut">{note}</span>
        </h2>
        <div className="mt-2">{children}</div>
      </div>
    </li>
  );
}
