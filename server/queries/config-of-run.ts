/** The config of a run: what all rollouts share, what varies, and what Kubernetes says was really set. */
import { mattering } from "@/server/derive/config-key";
import { mergeFacts } from "@/server/derive/merge-facts";
import type { RunScope } from "@/server/derive/run-directory";
import type { RunSummary } from "@/server/domain/answers";
import { makeRef, type Ref } from "@/server/domain/refs";
import type { ConfigValue, FlatConfig, RolloutRow } from "@/server/domain/rollout";
import type { RolloutCount, Store } from "@/server/domain/store";
import type { Memo } from "./memo";
import { CONFIG_DIMS } from "./run-numbers";
import { dimOf } from "./tally";

export interface ConfigOfRun extends Pick<RunSummary, "config"> {
  /** Settings per config key; null key: rollouts whose config is not known. */
  byKey: Map<string | null, FlatConfig>;
  /** By which a key differs from the run's others. */
  differs(key: string | null): FlatConfig;
}

/** Config keys read, most rollouts first; a run with more is no comparison any more. */
const MOST_KEYS = 50;
/** Rollouts per key whose pods are asked for what was really set. */
const SAMPLES = 10;
const EFFECTIVE = ["memoryLimit", "memoryRequest", "cpuLimit", "cpuRequest", "ttlS"];

/** `counts` are rollouts by `CONFIG_DIMS`. */
export function configOfRun(memo: Memo, scope: RunScope, counts: readonly RolloutCount[]): Promise<ConfigOfRun> {
  const said = scope.settings?.config ?? {};
  const key = `config-of-run ${JSON.stringify([scope.labels, said])}`;
  return memo.once(key, () => read(memo.store, scope, counts));
}

async function read(store: Store, scope: RunScope, counts: readonly RolloutCount[]): Promise<ConfigOfRun> {
  const said = scope.settings?.config ?? {};
  const keys = countKeys(counts);
  const byKey = new Map<string | null, FlatConfig>();
  const rows: RolloutRow[] = [];
  for (const { key } of keys) {
    const page = await store.listRollouts({ runs: scope.labels, configKeys: [key] }, { limit: SAMPLES, cursor: null });
    rows.push(...page.items);
    byKey.set(key, { ...said, ...mattering(page.items[0]?.config ?? {}) });
  }
  if (byKey.size === 0) byKey.set(null, said);
  const { common, varying } = shared(byKey, keys);
  const effective = await effectiveOf(store, rows);
  return {
    config: { common, varying, keys, effective },
    byKey,
    differs: (key) => Object.fromEntries(Object.entries(byKey.get(key) ?? {}).filter(([path]) => path in varying)),
  };
}

function countKeys(counts: readonly RolloutCount[]): { key: string; n: number }[] {
  const byKey = new Map<string, number>();
  for (const row of counts) {
    const key = dimOf(row, CONFIG_DIMS, "configKey");
    if (key !== null) byKey.set(key, (byKey.get(key) ?? 0) + row.n);
  }
  return [...byKey]
    .map(([key, n]) => ({ key, n }))
    .sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_KEYS);
}

/** Splits paths into those with one value in every config and those without. */
function shared(byKey: Map<string | null, FlatConfig>, keys: readonly { key: string; n: number }[]) {
  const sizes = new Map(keys.map(({ key, n }) => [key as string | null, n]));
  const common: FlatConfig = {};
  const varying: RunSummary["config"]["varying"] = {};
  for (const path of [...new Set([...byKey.values()].flatMap((config) => Object.keys(config)))].sort()) {
    const counted = new Map<ConfigValue, number>();
    let everywhere = true;
    for (const [key, config] of byKey) {
      if (path in config)
        counted.set(config[path] ?? null, (counted.get(config[path] ?? null) ?? 0) + (sizes.get(key) ?? 0));
      else everywhere = false;
    }
    const values = [...counted].map(([value, n]) => ({ value, n })).sort((a, b) => b.n - a.n);
    if (everywhere && values.length === 1 && values[0]) common[path] = values[0].value;
    else varying[path] = values;
  }
  return { common, varying };
}

/** Values that Kubernetes gives for every sampled sandbox that it gives any for; values that differ are left out. */
async function effectiveOf(store: Store, rows: readonly RolloutRow[]): Promise<FlatConfig> {
  const refs = [...new Set(rows.flatMap(sandboxRefs))];
  if (refs.length === 0) return {};
  const links = await store.linksTo(refs);
  const facts = await store.factsOf([...new Set([...refs, ...links.map((link) => link.from)])]);
  const owner = new Map<Ref, Ref>(links.map((link) => [link.from, link.to]));
  const effective: FlatConfig = {};
  for (const name of EFFECTIVE) {
    const values = new Set<ConfigValue>();
    for (const ref of refs) {
      const value = mergeFacts(facts.filter((fact) => (owner.get(fact.ref) ?? fact.ref) === ref)).get(name)?.value;
      if (value !== undefined) values.add(value);
    }
    const [only] = values;
    if (values.size === 1 && only !== undefined) effective[name] = only;
  }
  return effective;
}

function sandboxRefs(row: RolloutRow): Ref[] {
  const ids = row.sandbox === null ? row.sandboxes : [row.sandbox];
  return ids.map((id) => makeRef("sandbox", row.cluster, id));
}
