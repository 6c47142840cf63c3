/** Config lines as they would be written: old out, new in. */
import type { ConfigValue } from "@/server/domain/rollout";
import type { Change } from "./finding";
import { bareUnit, KNOWN_SETTINGS, type Reading, type SettingId } from "./known-settings";

const CONFIG_FILE = "the harness's sandbox config";

/** `before`: the setting as it is, null when it is not set. */
export interface Rewrite {
  id: SettingId;
  before: Reading | null;
  /** In the setting's own unit: seconds, bytes, or as it is. */
  after: number | boolean | string;
}

/** A rewrite that keeps its value is told as kept: a line in, none out. */
export function configChange(rewrites: readonly Rewrite[], file: string = CONFIG_FILE): Change {
  const lines = rewrites.flatMap(({ id, before, after }): Change["lines"] => {
    const path = before?.path ?? KNOWN_SETTINGS[id].writeAs;
    const text = `${path}: ${written(id, path, before?.raw ?? null, after)}`;
    const old = before === null ? null : `${path}: ${scalar(before.raw)}`;
    if (old === null || old === text) return [{ op: "+", text }];
    return [
      { op: "-", text: old },
      { op: "+", text },
    ];
  });
  return { syntax: "yaml", file, lines };
}

export function shellChange(file: string, commands: readonly string[]): Change {
  return { syntax: "shell", file, lines: commands.map((text) => ({ op: "+", text })) };
}

function written(id: SettingId, path: string, raw: ConfigValue, after: Rewrite["after"]): string {
  if (typeof after !== "number") return scalar(after);
  const { kind } = KNOWN_SETTINGS[id];
  if (kind === "bytes") {
    const unit = bareUnit(path);
    return unit > 1 && !/[a-z]/i.test(String(raw ?? "")) ? plain(after / unit) : binary(after);
  }
  if (kind !== "seconds") return plain(after);
  if (typeof raw === "string" && /s$/i.test(raw)) return `${plain(after)}s`;
  return plain(/_ms$/i.test(path) ? after * 1000 : after);
}

function scalar(value: ConfigValue): string {
  if (typeof value !== "string") return String(value);
  return /^[\w./-]+$/.test(value) && !/^(true|false|null|yes|no|on|off|[\d.]+)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

function plain(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** A Kubernetes quantity: `8Gi`, `1536Mi`. */
export function binary(bytes: number): string {
  const mib = Math.ceil(bytes / 2 ** 20);
  return mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`;
}
