/**
 * What lies in job directories and holds no record, told by its name alone: the command line, the page's folder drop and bundles leave the
 * same files out. Text that an agent or its tests printed is no evidence about infrastructure, whatever it says.
 */

/** Reasons in the order they are asked; each is shown with how many files it took. */
const REASONS: readonly [why: string, path: RegExp][] = [
  ["left by systems and editors", /(?:^|\/)(?:\.[^/]|__MACOSX\/|node_modules\/|Thumbs\.db$|desktop\.ini$)/i],
  ["images and recordings", /\.(?:png|jpe?g|gif|webp|svg|ico|bmp|mp4|webm|mov|cast|wav|mp3)$/i],
  ["patches and predictions", /\.(?:diff|patch|pred|bundle)$/i],
  [
    "programs and packages",
    /\.(?:sh|py|pyc|ipynb|js|ts|go|rs|c|h|cpp|so|o|a|whl|deb|exe|dll|class|jar|bin|pth?|safetensors|parquet|arrow|npy|npz|pkl|sqlite|db)$/i,
  ],
  ["texts for people", /\.(?:md|rst|html?|css|pdf|docx?|xlsx?|pptx?)$/i],
  [
    "output of tests and verifiers",
    /(?:^|\/)(?:test_output\.txt|test-std(?:out|err)\.txt|reward\.(?:txt|json)|post-test\.txt|run_instance\.log)$|(?:^|\/)verifier\//i,
  ],
  [
    "output of agents",
    /__[A-Za-z0-9]{7}\/(?:.*\/)?(?:agent|artifacts)\/|__[A-Za-z0-9]{7}\/(?:trial\.log|exception\.txt)$|(?:^|\/)(?:agent-logs|sessions|panes|conversations)\/|(?:^|\/)(?:commands|post-agent|pre-agent)\.txt$|\.(?:trace|debug|info)\.log$|(?:^|\/)instance_[^/]+\.log$/i,
  ],
  [
    "totals over records",
    /_(?:aggregate_metrics|agent_metrics)\.json$|_reward_profiling\.jsonl$|(?:^|\/)preprocessed_datasets\/|(?:^|\/)reductions\.json$|(?:^|\/)summaries\.json$|(?:^|\/)_journal\/summaries\//i,
  ],
  ["settings of tools", /\.(?:toml|lock|ini|cfg)$|\.config\.yaml$|(?:^|\/)configs?\/[^/]+\.(?:json|ya?ml)$/i],
];

/** Why a file of this name is not read; null for one that is. */
export function whyLeftOut(path: string): string | null {
  return REASONS.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** Results that are told once more, file by file, in a folder beside them. */
const REPEATED = "totals over records";
const EPISODE = /^(.*?)\/?episodes\/episode_[^/]+\.json$/;

/** The same, where all files of a folder are known: totals over episodes that stand beside them are left out too. */
export function leftOutOf(paths: readonly string[]): Map<string, string> {
  const roots = new Set(paths.flatMap((path) => EPISODE.exec(path)?.[1] ?? []));
  const isTotal = (path: string) =>
    [...roots].some(
      (root) => path === `${root}.json` || path === (root === "" ? "results.json" : `${root}/results.json`),
    );
  const found = new Map<string, string>();
  for (const path of paths) {
    const why = whyLeftOut(path) ?? (isTotal(path) ? REPEATED : null);
    if (why !== null) found.set(path, why);
  }
  return found;
}
