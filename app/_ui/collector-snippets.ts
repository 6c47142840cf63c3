/** Configs of the usual collectors that send pods' logs to this server, with each line's pod, node and labels. Pure. */

/** Each of them puts the environment's value in its place. */
const fromEnv = (name: string) => `\${${name}}`;
const TOKEN = fromEnv("COALMINE_TOKEN");

/** Fluent Bit's own config; where it reads container logs already, only the output is new. */
export function fluentBitSnippet(address: string): string {
  const url = new URL(address);
  const tls = url.protocol === "https:";
  return [
    "[INPUT]",
    "    Name              tail",
    "    Path              /var/log/containers/*.log",
    "    Tag               kube.*",
    "    multiline.parser  docker, cri",
    "[FILTER]",
    "    Name              kubernetes",
    "    Match             kube.*",
    "    Labels            On",
    "    Annotations       Off",
    "[OUTPUT]",
    "    Name              http",
    "    Match             kube.*",
    `    Host              ${url.hostname}`,
    `    Port              ${portOf(url)}`,
    "    URI               /api/v1/ingest/auto?source=fluent-bit",
    "    Format            json_lines",
    "    Compress          gzip",
    "    Retry_Limit       no_limits",
    `    tls               ${tls ? "On" : "Off"}`,
    `    Header            Authorization Bearer ${TOKEN}`,
  ].join("\n");
}

export function vectorSnippet(address: string): string {
  return [
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
    `    auth: { strategy: bearer, token: "${TOKEN}" }`,
    "    buffer: { type: disk, max_size: 1073741824 }",
  ].join("\n");
}

/** The contrib distribution, as a daemon set. */
export function otelSnippet(address: string): string {
  return [
    "receivers:",
    "  filelog:",
    "    include: [/var/log/pods/*/*/*.log]",
    "    include_file_path: true",
    "    operators: [{ type: container }]",
    "processors:",
    "  k8sattributes:",
    "    filter: { node_from_env_var: KUBE_NODE_NAME }",
    "    extract:",
    "      metadata: [k8s.pod.name, k8s.pod.uid, k8s.pod.ip, k8s.namespace.name, k8s.node.name]",
    "      labels: [{ from: pod, key_regex: '(.*)', tag_name: 'k8s.pod.labels.$$1' }]",
    "    pod_association:",
    "      - sources: [{ from: resource_attribute, name: k8s.pod.uid }]",
    "exporters:",
    "  otlphttp/coalmine:",
    `    endpoint: ${address}/otlp`,
    `    headers: { Authorization: 'Bearer ${fromEnv("env:COALMINE_TOKEN")}' }`,
    "    retry_on_failure: { max_elapsed_time: 0 }",
    "service:",
    "  pipelines:",
    "    logs: { receivers: [filelog], processors: [k8sattributes], exporters: [otlphttp/coalmine] }",
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
    "}",
    'loki.write "coalmine" {',
    "  endpoint {",
    `    url          = "${address}/loki/api/v1/push"`,
    '    bearer_token = sys.env("COALMINE_TOKEN")',
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
