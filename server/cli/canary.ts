/** Runs one plan against a target, told as it goes; the exit code is its result. */
import { setTimeout as sleep } from "node:timers/promises";
import type { List } from "@/server/domain/answers";
import {
  type CanaryAnswer,
  type CanaryEvent,
  type CanaryState,
  type CanarySummary,
  isOver,
} from "@/server/domain/canary";
import type { Api } from "./api";
import { CommandError, EXIT, print, printJson, type Terminal } from "./terminal";

export interface CanaryOptions {
  target: string;
  /** `name=value` each; a value that reads as JSON is taken as such. */
  set?: string[];
  /** All options as one JSON object. */
  options?: string;
  json?: boolean;
  detach?: boolean;
}

const POLL_MS = 400;

export async function canary(api: Api, terminal: Terminal, plan: string, options: CanaryOptions): Promise<number> {
  const body = JSON.stringify({ target: options.target, plan, options: optionsOf(options) });
  const { id } = await api.post<CanarySummary>("/canaries", body);
  if (options.detach) {
    if (options.json) printJson(terminal, { id });
    else print(terminal, id);
    return EXIT.ok;
  }
  const leave = cancelOnInterrupt(api, terminal, id);
  try {
    await follow(api, id, options.json ? SILENT : teller(terminal));
  } finally {
    leave();
  }
  const run = await api.call<CanaryAnswer>(`/canaries/${id}`);
  if (options.json) printJson(terminal, run);
  else print(terminal, resultText(run));
  return exitOf(run.state);
}

/** 0: passed. 1: the target failed. 2: no answer about the target. */
export function exitOf(state: CanaryState): number {
  if (state === "passed") return EXIT.ok;
  return state === "failed" ? EXIT.someFailed : EXIT.cannot;
}

/** Throws `CommandError` for what is no option. */
export function optionsOf({
  set = [],
  options = "{}",
}: Pick<CanaryOptions, "set" | "options">): Record<string, unknown> {
  const all = readJson(options);
  if (typeof all !== "object" || all === null || Array.isArray(all)) {
    throw new CommandError(`--options is ${options}: it must be a JSON object.`);
  }
  const single = set.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new CommandError(`--set is "${text}": it must be name=value.`);
    const value = text.slice(at + 1);
    return [text.slice(0, at), readJson(value) ?? value] as const;
  });
  return { ...all, ...Object.fromEntries(single) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Teller {
  event(event: CanaryEvent): void;
  /** Another run on the target goes first. */
  waits(): void;
}

const SILENT: Teller = { event: () => undefined, waits: () => undefined };

async function follow(api: Api, id: string, tell: Teller): Promise<void> {
  for (let after = 0, waited = false; ; await sleep(POLL_MS)) {
    const { items } = await api.call<List<CanaryEvent>>(`/canaries/${id}/events`, { query: { after: String(after) } });
    for (const event of items) {
      after = event.id;
      tell.event(event);
    }
    const { state } = await api.call<CanaryAnswer>(`/canaries/${id}`);
    if (isOver(state)) return;
    if (state === "queued" && !waited) tell.waits();
    waited ||= state === "queued";
  }
}

/** One line that moves on a terminal; elsewhere only what failed, as lines. */
function teller({ stderr }: Terminal): Teller {
  const line = (text: string) => void stderr.write(stderr.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
  return {
    waits: () => line("queued: another run on this target goes first"),
    event: ({ type, data }) => {
      if (type === "progress" && stderr.isTTY) stderr.write(`\r\x1b[2K${String(data.text)}`);
      if (type === "note") line(String(data.text));
      if (type === "cycle" && data.ok === false) line(failureText(data));
    },
  };
}

function failureText({ sandbox, node, failed, cancelled }: Record<string, unknown>): string {
  const { step, class: name, message } = (failed ?? {}) as { step?: string; class?: string; message?: string };
  if (step === undefined) return `${cancelled ? "cancelled" : "left out"}: ${String(sandbox ?? "no sandbox")}`;
  const where = node === null ? "" : ` on ${String(node)}`;
  return `failed at ${step}${where}: ${name ?? "no class"}${message ? ` (${message.slice(0, 160)})` : ""}`;
}

function resultText(run: CanaryAnswer): string {
  const lines = [`${run.state}: ${run.result?.sentence ?? "no result"}`, ...run.notes];
  const advice = run.result?.detail.adviceS;
  if (typeof advice === "number") lines.push(`keepalive_expiry: ${advice}`);
  return lines.join("\n");
}

/** The first interrupt cancels the run and waits for its deletes; a second one leaves at once. */
function cancelOnInterrupt(api: Api, terminal: Terminal, id: string): () => void {
  const cancel = (): void => {
    process.off("SIGINT", cancel);
    terminal.stderr.write("\ncancelling: what it made is deleted first\n");
    api.post(`/canaries/${id}/cancel`, "{}").catch(() => undefined);
  };
  process.on("SIGINT", cancel);
  return () => void process.off("SIGINT", cancel);
}
