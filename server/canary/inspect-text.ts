/** The fixed-label text of `diagnostics/inspect`: the one API answer that names the node. */

export interface Inspected {
  node: string | null;
  pod: string | null;
  namespace: string | null;
  podIp: string | null;
  hostIp: string | null;
  phase: string | null;
  restarts: number | null;
  /** As `exit=137, reason=OOMKilled`. */
  lastState: string | null;
  limits: Record<string, string>;
  requests: Record<string, string>;
}

export function parseInspect(text: string): Inspected {
  const field = (label: string) => new RegExp(`^\\s*${label}:\\s*(\\S.*?)\\s*$`, "m").exec(text)?.[1] ?? null;
  const restarts = field("Restart Count");
  return {
    node: known(field("Node")),
    pod: known(field("Pod Name")),
    namespace: known(field("Namespace")),
    podIp: known(field("Pod IP")),
    hostIp: known(field("Host IP")),
    phase: known(field("Phase")),
    restarts: restarts !== null && /^\d+$/.test(restarts) ? Number(restarts) : null,
    lastState: /Terminated \(([^)]*)\)/.exec(text)?.[1] ?? null,
    limits: resources(text, "Limits"),
    requests: resources(text, "Requests"),
  };
}

function known(value: string | null): string | null {
  return value === null || /^(none|n\/a|unknown|<none>)$/i.test(value) ? null : value;
}

/** `Limits: cpu=500m, memory=512Mi` in one line, or one `name: value` a line below the label. */
function resources(text: string, label: string): Record<string, string> {
  const inline = new RegExp(`^\\s*${label}:[ \\t]*(\\S.*)$`, "m").exec(text)?.[1];
  const below = new RegExp(`^(\\s*)${label}:[ \\t]*\\n((?:\\1\\s+\\S.*\\n?)+)`, "m").exec(text)?.[2];
  const found: Record<string, string> = {};
  for (const [, name, value] of (inline ?? below ?? "").matchAll(
    /['"]?([a-z.-]+)['"]?\s*[:=]\s*['"]?([0-9][\w.]*)['"]?/g,
  )) {
    if (name !== undefined && value !== undefined) found[name] = value;
  }
  return found;
}
