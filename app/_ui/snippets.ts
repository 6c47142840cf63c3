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

/** One output section of Fluent Bit's own config. */
export function fluentBitSnippet(address: string): string {
  const url = new URL(address);
  const tls = url.protocol === "https:";
  return [
    "[OUTPUT]",
    "    Name              http",
    "    Match             kube.*",
    `    Host              ${url.hostname}`,
    `    Port              ${url.port || (tls ? "443" : "80")}`,
    "    URI               /api/v1/ingest/auto?source=fluent-bit",
    "    Format            json_lines",
    "    Json_date_key     time",
    "    Json_date_format  iso8601",
    "    Compress          gzip",
    `    tls               ${tls ? "on" : "off"}`,
    `    Header            Authorization Bearer \${COALMINE_TOKEN}`,
  ].join("\n");
}
