import { setTimeout as sleep } from "node:timers/promises";
import type { ReclassifyAnswer, ReclassifyPreview, RereadCount } from "@/server/domain/reclassify";
import type { Api } from "./api";
import { countText } from "./numbers";
import { EXIT, print, printJson, type Terminal, table } from "./terminal";

export interface ReclassifyOptions {
  run?: boolean;
  batch?: string;
  cancel?: boolean;
  json?: boolean;
}

const LOOK_MS = 300;

/** Previews what today's formats and rules would change of what is stored, or changes it. Exit 1 when it ended early. */
export async function reclassify(api: Api, terminal: Terminal, options: ReclassifyOptions): Promise<number> {
  if (options.cancel) {
    const answer = await api.call<ReclassifyAnswer>("/reclassify/cancel", { method: "POST" });
    if (options.json) printJson(terminal, answer);
    else print(terminal, "Nothing is under way any more; what was done stands.");
    return EXIT.ok;
  }
  const before = await api.call<ReclassifyAnswer>("/reclassify");
  const body = { preview: !options.run, batch: options.batch ?? null };
  const begun = await api.post<ReclassifyAnswer>("/reclassify", JSON.stringify(body));
  const answer = await ended(api, terminal, begun);
  if (options.json) printJson(terminal, answer);
  else print(terminal, answer.problem ?? [standing(before), told(answer, body.preview)].join("\n"));
  return answer.problem === null ? EXIT.ok : EXIT.someFailed;
}

async function ended(api: Api, terminal: Terminal, begun: ReclassifyAnswer): Promise<ReclassifyAnswer> {
  let answer = begun;
  while (answer.state !== "idle") {
    if (terminal.stderr.isTTY)
      terminal.stderr.write(`\r${answer.done} of about ${Math.max(answer.total, answer.done)} `);
    await sleep(LOOK_MS);
    answer = await api.call<ReclassifyAnswer>("/reclassify");
  }
  if (terminal.stderr.isTTY) terminal.stderr.write("\r");
  return answer;
}

function standing({ unread, stale }: ReclassifyAnswer): string {
  const read = `${countText(unread.deliveries, "delivery").replace(/ys$/, "ies")} (${countText(unread.lines, "line")})`;
  return `Read by older formats: ${read}. Judged by other rules: ${countText(stale, "observation")}.`;
}

function told({ preview, last }: ReclassifyAnswer, isPreview: boolean): string {
  if (isPreview) return preview === null ? "There is no preview." : previewText(preview);
  if (last === null) return "It was ended before its end; what was done stands.";
  const judged = `${countText(last.changed, "observation")} judged otherwise.`;
  return [last.reread && rereadText(last.reread, "came", "went", "changed"), judged].filter(Boolean).join("\n");
}

function previewText(preview: ReclassifyPreview): string {
  const { reread, rereadOf, changed } = preview;
  const lines = [
    reread && rereadText(reread, "would come", "would go", "would change"),
    rereadOf === null
      ? null
      : `An estimate: the newest ${reread?.deliveries} of ${rereadOf} deliveries were looked at.`,
    `${countText(changed, "observation")} would be judged otherwise.`,
  ];
  const rows = [
    ...preview.rollouts.map((one) => ["rollouts", ends(one.before), ends(one.after), String(one.n)]),
    ...preview.incidents.map((one) => ["incidents", one.before ?? "none", one.after ?? "none", String(one.n)]),
    ...preview.evidence.map((one) => [
      "evidence",
      one.before ?? "no failure",
      one.after ?? "no failure",
      String(one.n),
    ]),
  ];
  if (rows.length > 0) lines.push("", table(["what", "now", "then", "n"], rows, [3]));
  return lines.filter((line) => line !== null).join("\n");
}

function ends(end: ReclassifyPreview["rollouts"][number]["before"]): string {
  if (end === null) return "no verdict";
  return end.class === null ? end.verdict : `${end.verdict}: ${end.class}`;
}

function rereadText(count: RereadCount, comes: string, goes: string, changes: string): string {
  const { older, broken, cut, records } = count.left;
  const left = [
    [older, "kept by an older version"],
    [broken, "could not be opened"],
    [cut, "not kept whole"],
    [records, "not kept as lines"],
  ] as const;
  const why = left.flatMap(([n, words]) => (n > 0 ? [`${n.toLocaleString("en-US")} ${words}`] : []));
  const moved = `evidence ${comes}: ${count.comes}, ${goes}: ${count.goes}, ${changes}: ${count.changes}.`;
  return `${countText(count.lines, "line")} read again; ${moved}${why.length > 0 ? ` Left as they were: ${why.join(", ")}.` : ""}`;
}
