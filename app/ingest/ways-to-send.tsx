"use client";

import { Tabs } from "@base-ui/react/tabs";
import {
  alloySnippet,
  fluentBitSnippet,
  kubectlSnippet,
  otelSnippet,
  vectorSnippet,
} from "@/app/_ui/collector-snippets";
import { Command } from "@/app/_ui/command";
import { Section } from "@/app/_ui/section";
import { cliSnippet, curlSnippet } from "@/app/_ui/snippets";

const WAYS = [
  {
    id: "cli",
    name: "Command line",
    note: "Files, folders and standard input, with a progress bar.",
    text: cliSnippet,
  },
  {
    id: "curl",
    name: "curl",
    note: "The same bytes twice count once, so a failed call can simply be repeated.",
    text: curlSnippet,
  },
  {
    id: "fluent-bit",
    name: "Fluent Bit",
    note: "Standing delivery of container logs; runs and sandboxes are found by the pods' labels.",
    text: fluentBitSnippet,
  },
  {
    id: "vector",
    name: "Vector",
    note: "What is not taken at once waits on disk and is sent again.",
    text: vectorSnippet,
  },
  {
    id: "otel",
    name: "OTel Collector",
    note: "The contrib distribution on each node, over OTLP; its service account reads pods.",
    text: otelSnippet,
  },
  {
    id: "alloy",
    name: "Alloy",
    note: "Over Loki's push protocol; promtail and Loki's other senders go to the same address.",
    text: alloySnippet,
  },
  {
    id: "kubectl",
    name: "kubectl",
    note: "Pods, events and nodes as they are now: they say which node a sandbox was on, and why it ended. Run it by the minute.",
    text: kubectlSnippet,
  },
] as const;

/** Commands and configs with this server's address, ready to paste. */
export function WaysToSend({ address }: { address: string }) {
  return (
    <Section title="From elsewhere" note="with this server's address; add a token where the server asks for one">
      <Tabs.Root defaultValue="cli">
        <Tabs.List className="mb-3 flex flex-wrap gap-x-4 gap-y-1 border-b">
          {WAYS.map(({ id, name }) => (
            <Tabs.Tab
              key={id}
              value={id}
              className="-mb-px whitespace-nowrap border-b-2 border-transparent pb-1.5 text-mut hover:text-ink data-active:border-ink data-active:font-medium data-active:text-ink"
            >
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {WAYS.map(({ id, name, note, text }) => (
          <Tabs.Panel key={id} value={id}>
            <p className="mb-2 text-mut">{note}</p>
            <Command what={`${name} snippet`} text={text(address)} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Section>
  );
}
