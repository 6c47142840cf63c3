/** Two runs' settings side by side: what was asked for, what applied, what nobody asked for, and what confounds. */
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";
import type { ConfigChange, ConfigDiff, ConfigSide } from "./answer";
import { silentDefault } from "./config-defaults";
import { canonical, effectiveName } from "./config-facets";

/** A run's settings as its summary has them. */
export interface RunConfig {
  /** Asked for, the same for all rollouts. */
  common: FlatConfig;
  /** Asked for, with several values in the run. */
  varying: Record<string, { value: ConfigValue; n: number }[]>;
  /** Set, as Kubernetes says, under the names of its facts (`memoryLimit` in bytes …). */
  effective: FlatConfig;
}

/** Names, ids and places, which say where and when a run was and not how it worked. */
const NO_MATTER =
  /(^|\.)(id|ids|uid|uuid|run|run_id|name|label|labels|notes|tags|paths?|dir|directory|output|port|host|session|token|api_key|metadata|timestamp|created_at|started_at|user|team)(\.|$)/;

export function configDiff(baseline: RunConfig, candidate: RunConfig): ConfigDiff {
  const known = { baseline: isKnown(baseline), candidate: isKnown(candidate) };
  const changes = settingsOf(baseline, candidate)
    .map((setting) => changeOf(setting, baseline, candidate, known.baseline && known.candidate))
    .filter((change) => change.differs || noteworthy(change.baseline) || noteworthy(change.candidate));
  const differing = changes.filter((change) => change.differs && change.matters).map((change) => change.key);
  return { changes, differing, confounded: differing.length > 1, known };
}

/** One setting: its path in each run (null: not asked for), and the fact that says what was set. */
interface Setting {
  a: string | null;
  b: string | null;
  fact: string | null;
}

/** Settings that either run asked for, and facts that nobody asked for. */
function settingsOf(baseline: RunConfig, candidate: RunConfig): Setting[] {
  const [pathsA, pathsB] = [askedPaths(baseline), askedPaths(candidate)];
  const facts = new Set([...Object.keys(baseline.effective), ...Object.keys(candidate.effective)]);
  const settings: Setting[] = [];
  for (const path of new Set([...pathsA, ...pathsB])) {
    const fact = effectiveName(path);
    if (fact !== null) facts.delete(fact);
    const [sameA, sameB] = [pathsA, pathsB].map((paths) => paths.filter((one) => one === path || alias(one, fact)));
    // One run may call a setting otherwise than the other; with several paths for it they cannot be told apart.
    const one = sameA?.length === 1 && sameB?.length === 1 ? { a: sameA[0], b: sameB[0] } : null;
    const setting = {
      a: one?.a ?? (pathsA.includes(path) ? path : null),
      b: one?.b ?? (pathsB.includes(path) ? path : null),
      fact,
    };
    if (!settings.some((seen) => seen.a === setting.a && seen.b === setting.b)) settings.push(setting);
  }
  for (const fact of facts) settings.push({ a: null, b: null, fact });
  return settings.sort((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1));
}

function alias(path: string, fact: string | null): boolean {
  return fact !== null && effectiveName(path) === fact;
}

function askedPaths(run: RunConfig): string[] {
  return [...new Set([...Object.keys(run.common), ...Object.keys(run.varying)])].sort();
}

function keyOf(setting: Setting): string {
  return setting.b ?? setting.a ?? setting.fact ?? "";
}

function changeOf(setting: Setting, baseline: RunConfig, candidate: RunConfig, known: boolean): ConfigChange {
  const key = keyOf(setting);
  const a = sideOf(key, setting.a, setting.fact, baseline);
  const b = sideOf(key, setting.b, setting.fact, candidate);
  const oneIsUnknown = setting.a === null && setting.b === null && (a.effective === null || b.effective === null);
  // A value that was asked for on one side only is a difference even where the other side's default is not known.
  const differs =
    known && !oneIsUnknown && applied(setting.a ?? key, setting.fact, a) !== applied(setting.b ?? key, setting.fact, b);
  return { key, baseline: a, candidate: b, differs, matters: !NO_MATTER.test(key) };
}

function sideOf(key: string, path: string | null, fact: string | null, run: RunConfig): ConfigSide {
  const varying = path === null ? null : (run.varying[path] ?? null);
  const requested = path === null ? null : (run.common[path] ?? null);
  const effective = fact === null ? null : (run.effective[fact] ?? null);
  const comparable = path !== null && varying === null && fact !== null && effective !== null;
  return {
    requested,
    effective,
    silent: path === null,
    defaultValue: path === null ? silentDefault(key, run.common) : null,
    overridden: comparable && canonical(path, requested) !== canonical(fact, effective),
    varying,
  };
}

/** What applied, comparable as text: set by Kubernetes, else asked for, else the known default. */
function applied(path: string, fact: string | null, side: ConfigSide): string {
  if (side.varying) return JSON.stringify(valuesOf(path, side.varying));
  if (fact !== null && side.effective !== null) return JSON.stringify(canonical(fact, side.effective));
  return JSON.stringify(canonical(path, side.silent ? side.defaultValue : side.requested));
}

/** Values that vary alike in both runs are no difference; their counts follow the runs' sizes. */
function valuesOf(path: string, varying: { value: ConfigValue; n: number }[]): ConfigValue[] {
  return varying.map(({ value }) => canonical(path, value)).sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** Worth a line even where both runs agree: a known default that nobody asked for beside one that did, or an override. */
function noteworthy(side: ConfigSide): boolean {
  return side.overridden || (side.silent && side.defaultValue !== null);
}

function isKnown(run: RunConfig): boolean {
  return [run.common, run.varying, run.effective].some((part) => Object.keys(part).length > 0);
}
