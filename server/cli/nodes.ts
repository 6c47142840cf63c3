import type { NodeAnswer } from "@/server/domain/answers";
import type { Api } from "./api";
import { COMPUTING, computedList } from "./computed";
import { rateText } from "./numbers";
import { EXIT, print, printJson, type Terminal, table } from "./terminal";

export interface NodesOptions {
  run?: string;
  json?: boolean;
}

/** Lists the nodes with what was lost on each, in the server's order. */
export async function nodes(api: Api, terminal: Terminal, options: NodesOptions): Promise<number> {
  const answer = await computedList<NodeAnswer>(api, "/nodes", { run: options.run });
  const { items, pending } = answer;
  if (options.json) printJson(terminal, answer);
  else if (items.length === 0 && pending) print(terminal, "The nodes are still being counted: ask again.");
  else if (items.length === 0)
    print(terminal, "No node is known yet. Send pods: kubectl get pods -A -o json | coalmine ingest -");
  else print(terminal, nodeTable(items, pending === true));
  return EXIT.ok;
}

function nodeTable(items: NodeAnswer[], pending: boolean): string {
  const rows = items.map((node) => [
    node.node,
    String(node.rollouts),
    rateText(node.infraFailed),
    node.expected === null ? (pending ? COMPUTING : "–") : node.expected.toFixed(1),
    String(node.incidents),
    String(node.absorbed),
  ]);
  return table(["node", "rollouts", "lost to infrastructure", "expected", "incidents", "absorbed"], rows, [1, 3, 4, 5]);
}
