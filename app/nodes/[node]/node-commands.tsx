import { Command } from "@/app/_ui/command";
import { Section } from "@/app/_ui/section";
import { CheckButton } from "@/app/runs/[run]/findings-check";
import type { NodeDetail } from "@/server/domain/node-detail";

const DOES = {
  cordon: "Keeps new sandboxes away; what runs there goes on.",
  drain: "Moves away what runs there too: rollouts on it are lost.",
  taint: "Keeps away what does not tolerate it, and says why.",
  uncordon: "Takes the cordon back.",
} as const;

const ORDER = ["cordon", "drain", "taint", "uncordon"] as const;

/** What to paste once it is decided, and how to make sure before. */
export function NodeCommands({ node }: { node: NodeDetail }) {
  const asks = node.verdict === "suspect" || node.verdict === "watch";
  return (
    <Section
      title="What to do"
      note={asks ? "make sure with a canary, then take it out" : "nothing asks for it now"}
      actions={<CheckButton check={node.check} about={`Is it ${node.node}?`} />}
    >
      <dl className="grid gap-x-4 gap-y-3 border-t pt-3 sm:grid-cols-2">
        {ORDER.map((name) => (
          <div key={name} className="min-w-0">
            <dt className="mb-1 text-small text-mut">{DOES[name]}</dt>
            <dd>
              <Command what={`${name} command`} text={node.commands[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
