/** The death certificate of a rollout: its record, its sandboxes, and one timeline of all evidence about them. */

import { mergeFacts } from "@/server/derive/merge-facts";
import { indexLinks, subjectAt } from "@/server/derive/who-is-who";
import { CoalmineError } from "@/server/domain/errors";
import { FACT_RANK, type Fact, type Link, type Observation } from "@/server/domain/facts";
import { type Ref, refKind, splitRef } from "@/server/domain/refs";
import { type RolloutRecord, type RolloutRow, rolloutRefs } from "@/server/domain/rollout";
import type { RolloutDetail, SandboxAnswer, TimelineLine } from "@/server/domain/rollout-detail";
import type { Store } from "@/server/domain/store";
import { clockOffsets } from "./clock-offsets";
import { byTime, evidenceLine, incidentAnswer } from "./incident-answer";
import { rolloutAnswer } from "./rollout-answer";
import { readDirectory } from "./run-directory";

const MOST_LINES = 1000;

/** Throws `not_found`. */
export async function rolloutDetail(store: Store, input: { id: string }): Promise<RolloutDetail> {
  const found = await store.rolloutsOfIds([input.id]);
  const record = found[0];
  if (!record) throw new CoalmineError("not_found", `There is no rollout "${input.id}".`);
  const rows = await siblings(store, record);
  const row = rows.find((one) => one.id === record.id);
  if (!row) throw new CoalmineError("unavailable", "This rollout has no verdict yet.", { retryAfterS: 2 });
  const directory = await readDirectory(store);
  const around = await evidenceAround(store, record);
  const incidents = await store.listIncidents({ rollouts: [record.id] }, { limit: 100, cursor: null });
  return {
    ...rolloutAnswer(row, directory),
    config: row.config,
    incidents: incidents.items.map((one) => incidentAnswer(one, directory)),
    siblings: rows.filter((one) => one.id !== record.id).map((one) => rolloutAnswer(one, directory)),
    sandboxes: around.sandboxes,
    timeline: await withGaps(store, around.lines.slice(0, MOST_LINES)),
    clocks: clockOffsets(around.lines),
    truncated: around.lines.length > MOST_LINES,
  };
}

/** The lines with the time since the one before; the silence before a failure often says more than its words. */
async function withGaps(store: Store, lines: readonly Observation[]): Promise<TimelineLine[]> {
  const places = await store.observationBatches(lines.map((one) => one.key));
  let before: number | null = null;
  return lines.map((one) => {
    const gapMs = one.at === null || before === null ? null : one.at - before;
    before = one.at ?? before;
    return { ...evidenceLine(one, places), gapMs };
  });
}

/** All attempts at the same task and index, the rollout itself included. */
async function siblings(store: Store, record: RolloutRecord): Promise<RolloutRow[]> {
  const filter = { tasks: [record.task], runs: record.run === null ? undefined : [record.run], effectiveOnly: false };
  const page = await store.listRollouts(filter, { limit: 1000, cursor: null });
  return page.items.filter((one) => one.group === record.group).sort((a, b) => a.attempt - b.attempt);
}

async function evidenceAround(store: Store, record: RolloutRecord) {
  const { rollout } = rolloutRefs(record);
  const up = await store.linksFrom([rollout]);
  const via = [...new Set(up.map((link) => link.to))];
  const further = via.length > 0 ? await store.linksFrom(via) : [];
  const sandboxes = sandboxesOf(record, rollout, [...up, ...further]);
  const parts = sandboxes.length > 0 ? await store.linksTo(sandboxes) : [];
  const ips = parts.length > 0 ? await store.linksTo(parts.map((link) => link.from)) : [];
  const links = [...up, ...further, ...parts, ...ips];
  const refs = [...new Set([rollout, ...sandboxes, ...parts.map((l) => l.from), ...ips.map((l) => l.from)])];
  const index = indexLinks(links);
  const subjects = new Set<Ref>([rollout, ...sandboxes]);
  const observations = await store.observationsOf(refs.filter((ref) => refKind(ref) !== "rollout" || ref === rollout));
  const mine = (one: Observation) => one.refs.some((ref) => subjects.has(subjectAt(index, ref, one.at)));
  const facts = await store.factsOf(refs);
  return {
    lines: observations.filter(mine).sort(byTime),
    sandboxes: sandboxes.map((ref) => ({
      ...sandboxAnswer(ref, facts, parts),
      tie: up.find((link) => link.to === ref)?.how ?? null,
    })),
  };
}

function sandboxesOf(record: RolloutRecord, rollout: Ref, links: readonly Link[]): Ref[] {
  const linked = links.map((link) => link.to).filter((ref) => refKind(ref) === "sandbox");
  const direct = links.filter((link) => link.from === rollout && refKind(link.to) === "sandbox").map((link) => link.to);
  if (direct.length > 0) return [...new Set(direct)];
  const subject = subjectAt(indexLinks([...links]), rollout, record.endedAt ?? record.startedAt);
  return refKind(subject) === "sandbox" && linked.includes(subject) ? [subject] : [];
}

function sandboxAnswer(ref: Ref, facts: readonly Fact[], parts: readonly Link[]): Omit<SandboxAnswer, "tie"> {
  const pods = parts.filter((link) => link.to === ref && refKind(link.from) === "pod").map((link) => link.from);
  const sheet = mergeFacts(facts.filter((fact) => fact.ref === ref || pods.includes(fact.ref)));
  return {
    id: splitRef(ref).id,
    pods: [...new Set(pods)].map((pod) => splitRef(pod).id),
    facts: Object.fromEntries([...sheet.values()].map((fact) => [fact.name, fact.value])),
    nodeSaid: nodeSaid(sheet.get("node"), parts),
  };
}

function nodeSaid(fact: Fact | undefined, parts: readonly Link[]): SandboxAnswer["nodeSaid"] {
  if (fact === undefined) return null;
  const ranks = Object.entries(FACT_RANK) as [keyof typeof FACT_RANK, number][];
  const by = ranks.findLast(([, rank]) => rank <= fact.rank)?.[0] ?? "text";
  return { by, pod: parts.find((link) => link.from === fact.ref)?.how ?? null };
}
