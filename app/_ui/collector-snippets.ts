/** Configs of the usual collectors that send pods' logs to this server, with each line's pod, node and labels. Pure. */

/** Each of them puts the environment's value in its place. */
const fromEnv = (name: string) => `\${${name}}`;
const TOKEN = fromEnv("COALMINE_TOKEN");

/**
 * Fluent Bit 3 and later, as a daemon set. What waits is bounded: past it the input pauses, and the log files hold the rest. It takes no
 * notice of Retry-After, so the longest pause between two tries is set.
 */
export function fluentBitSnippet(address: string): string {
  const url = new URL(address);
  const tls = url.protocol === "https:";
  return [
    "[SERVICE]",
    "    storage.path      /var/lib/fluent-bit/storage",
    "    scheduler.cap     60",
    "[INPUT]",
    "    Name              tail",
    "    Path              /var/log/containers/*.log",
    "    Exclude_Path      /var/log/containers/fluent-bit*.log",
    "    Tag               kube.*",
    "    multiline.parser  docker, cri",
    "    DB                /var/lib/fluent-bit/containers.db",
    "    storage.type      filesystem",
    "    storage.pause_on_chunks_overlimit  On",
    "[FILTER]",
    "    Name              kubernetes",
    "    Match             kube.*",
    "    Labels            On",
    "    Annotations       Off",
    "    Buffer_Size       0",
    "[OUTPUT]",
    "    Name              http",
    "    Match             kube.*",
    `    Host              ${url.hostname}`,
    `    Port              ${portOf(url)}`,
    "    URI               /api/v1/ingest/auto?source=fluent-bit",
    "    Format            json_lines",
    "    Compress          gzip",
    "    Retry_Limit       no_limits",
    "    log_response_payload  Off",
    `    tls               ${tls ? "On" : "Off"}`,
    `    Header            Authorization Bearer ${TOKEN}`,
  ].join("\n");
}

/** Vector from 0.57 on puts no environment into its config, so the token comes from a file. */
export function vectorSnippet(address: string): string {
  return [
    "# The daemon set gives VECTOR_SELF_NODE_NAME, and mounts a secret whose key is `token` at /etc/coalmine.",
    "data_dir: /var/lib/vector",
    "secret:",
    "  coalmine: { type: directory, path: /etc/coalmine, remove_trailing_whitespace: true }",
    "sources:",
    "  pods:",
    "    type: kubernetes_logs",
    "sinks:",
    "  coalmine:",
    "    type: http",
    "    inputs: [pods]",
    `    uri: ${address}/api/v1/ingest/auto?source=vector`,
    "    method: post",
    "    compression: gzip",
    "    encoding: { codec: json }",
    "    framing: { method: newline_delimited }",
    '    auth: { strategy: bearer, token: "SECRET[coalmine.token]" }',
    "    buffer: { type: disk, max_size: 1073741824, when_full: block }",
  ].join("\n");
}

/** The contrib distribution, as a daemon set. */
export function otelSnippet(address: string): string {
  return [
    "# Before 0.149: filelog, k8sattributes, otlphttp. The daemon set gives KUBE_NODE_NAME.",
    "extensions:",
    "  file_storage: { directory: /var/lib/otelcol/file_storage, create_directory: true }",
    "receivers:",
    "  file_log:",
    "    include: [/var/log/pods/*/*/*.log]",
    "    exclude: [/var/log/pods/*/otel-collector/*.log, /var/log/pods/*/otc-container/*.log]",
    "    include_file_path: true",
    "    start_at: beginning",
    "    storage: file_storage",
    "    retry_on_failure: { enabled: true, max_elapsed_time: 0 }",
    "    operators: [{ type: container }]",
    "processors:",
    "  k8s_attributes:",
    "    wait_for_metadata: true",
    "    filter: { node_from_env_var: KUBE_NODE_NAME }",
    "    extract:",
    "      metadata: [k8s.pod.name, k8s.pod.uid, k8s.pod.ip, k8s.namespace.name, k8s.node.name]",
    "      labels: [{ from: pod, key_regex: '(.*)', tag_name: 'k8s.pod.labels.$$1' }]",
    "    pod_association:",
    "      - sources: [{ from: resource_attribute, name: k8s.pod.uid }]",
    "exporters:",
    "  otlp_http/coalmine:",
    `    endpoint: ${address}/otlp`,
    `    headers: { Authorization: 'Bearer ${fromEnv("env:COALMINE_TOKEN")}' }`,
    "    retry_on_failure: { max_elapsed_time: 0 }",
    "    sending_queue: { storage: file_storage, block_on_overflow: true, batch: { flush_timeout: 1s } }",
    "service:",
    "  extensions: [file_storage]",
    "  pipelines:",
    "    logs: { receivers: [file_log], processors: [k8s_attributes], exporters: [otlp_http/coalmine] }",
  ].join("\n");
}

const ALLOY_LABELS: readonly [meta: string, label: string][] = [
  ["namespace", "namespace"],
  ["pod_name", "pod"],
  ["pod_uid", "pod_uid"],
  ["pod_container_name", "container"],
  ["pod_node_name", "node"],
  ["pod_label_opensandbox_io_id", "opensandbox_io_id"],
  ["pod_label_nemo_gym_nvidia_com_run", "nemo_gym_nvidia_com_run"],
];

/** No retries mean that they never end; without a cluster each Alloy reads all pods, and the same line counts once. */
export function alloySnippet(address: string): string {
  return [
    'discovery.kubernetes "pods" { role = "pod" }',
    'discovery.relabel "pods" {',
    "  targets = discovery.kubernetes.pods.targets",
    ...ALLOY_LABELS.flatMap(([meta, label]) => [
      "  rule {",
      `    source_labels = ["__meta_kubernetes_${meta}"]`,
      `    target_label  = "${label}"`,
      "  }",
    ]),
    "}",
    'loki.source.kubernetes "pods" {',
    "  targets    = discovery.relabel.pods.output",
    "  forward_to = [loki.write.coalmine.receiver]",
    "  clustering {",
    "    enabled = true",
    "  }",
    "}",
    'loki.write "coalmine" {',
    "  endpoint {",
    `    url                 = "${address}/loki/api/v1/push"`,
    '    bearer_token        = sys.env("COALMINE_TOKEN")',
    '    max_backoff_period  = "30s"',
    "    max_backoff_retries = 0",
    "  }",
    "}",
  ].join("\n");
}

export function kubectlSnippet(address: string): string {
  const to = `curl --fail-with-body -H "Authorization: Bearer $COALMINE_TOKEN" --data-binary @-`;
  return [
    "kubectl get pods -A -o json |",
    `  ${to} '${address}/api/v1/ingest/kubectl?source=pods'`,
    "kubectl get events -A -o json |",
    `  ${to} '${address}/api/v1/ingest/kubectl?source=events'`,
    "kubectl get nodes -o json |",
    `  ${to} '${address}/api/v1/ingest/kubectl?source=nodes'`,
    "kubectl logs -n opensandbox -l app=opensandbox-server --prefix --timestamps --tail=-1 |",
    `  ${to} '${address}/api/v1/ingest/auto?source=opensandbox-server'`,
  ].join("\n");
}

function portOf(url: URL): string {
  return url.port || (url.protocol === "https:" ? "443" : "80");
}
