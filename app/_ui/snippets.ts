/** Commands and configs that send data to this server. Pure. */

export function cliSnippet(address: string, run = "my-run"): string {
  return [
    `export COALMINE_URL=${address}`,
    `coalmine ingest --run ${run} results/rollouts.jsonl logs/`,
    "kubectl get pods -A -o json | coalmine ingest -",
  ].join("\n");
}

export function curlSnippet(address: string, run = "my-run"): string {
  return [
    `curl --fail-with-body -T rollouts.jsonl -X POST \\`,
    `  '${address}/api/v1/ingest/auto?run=${encodeURIComponent(run)}&name=rollouts.jsonl'`,
    `kubectl get events -A -o json | curl --fail-with-body --data-binary @- \\`,
    `  '${address}/api/v1/ingest/auto?source=events'`,
  ].join("\n");
}
