import type { JudgedNode } from "@/server/domain/node-judged";
import { Tag } from "./tag";

const WORD = { suspect: "suspect", watch: "watch", ok: "ok", too_little_data: "too little data" } as const;
const TONE = { suspect: "bad", watch: "warn", ok: "quiet", too_little_data: "quiet" } as const;

/** What the test over all nodes says of one; `quiet` says only what asks for a look. */
export function NodeVerdict({ node, quiet = false }: { node: JudgedNode; quiet?: boolean }) {
  const { verdict } = node;
  if (verdict === null || (quiet && verdict !== "suspect" && verdict !== "watch")) return null;
  return (
    <Tag tone={TONE[verdict]} title={node.reason ?? undefined}>
      {WORD[verdict]}
    </Tag>
  );
}
