import type { FlatConfig } from "@/server/domain/rollout";

/**
 * The story that the made-up fleet tells (statistics.md §3): memory kills and two transport faults in the baseline;
 * a higher limit halves the losses; bounded keep-alive and a health-checked create leave one bad node.
 */
export type DemoFault =
  | "oom"
  | "stale_keepalive"
  | "bind_race"
  | "create_timeout"
  | "evicted"
  | "proxy_error"
  | "backend_dead";

/** Tasks that were attempted equally often: how many of their rollouts passed and how many were lost. */
export interface DemoGroup {
  tasks: number;
  attempts: number;
  passed: number;
  lost: number;
}

export interface DemoRun {
  id: string;
  name: string;
  notes: string;
  planned: number;
  config: FlatConfig;
  memoryLimitMib: number;
  groups: readonly DemoGroup[];
  faults: Partial<Record<DemoFault, number>>;
  /** Operations that failed and went well when tried again. */
  absorbed: { execRetries: number; createRetries: number; transportRetries: number };
  nodes: readonly string[];
  /** All of the run's losses happened on this node, which had so many of its rollouts. */
  badNode: { name: string; rollouts: number } | null;
  /** Hours between the run's start and the end of the story. */
  startsBeforeEndH: number;
  hours: number;
  /** Sandboxes beside those of the rollouts, which verified their results. */
  verifySandboxes: number;
  /** Commands of the agents that ended with exit code 1, as the exec daemons reported them; null = no such log. */
  execErrors: number | null;
}

const NODES = Array.from({ length: 24 }, (_, i) => `gpu-pool-${String(i + 1).padStart(2, "0")}`);

/** Settings that all three runs share. */
const SHARED: FlatConfig = {
  "resources.cpu": 2,
  "resource_requests.memory_mib": 2048,
  "connection.transport_backend": "httpx",
  "create.ready_timeout_s": 120,
  "create.timeout_s": 180,
  "operations.command_retries": 0,
  concurrency: 64,
};

export const DEMO_RUNS: readonly DemoRun[] = [
  {
    id: "swe-2gi",
    name: "2Gi requests = limits",
    notes: "Made-up demo data. The baseline: one map of resources for requests and limits.",
    planned: 500,
    config: {
      ...SHARED,
      "resources.memory_mib": 2048,
      "connection.keepalive_expiry_s": 30,
      "create.skip_health_check": true,
    },
    memoryLimitMib: 2048,
    groups: [
      { tasks: 33, attempts: 4, passed: 66, lost: 17 },
      { tasks: 92, attempts: 2, passed: 112, lost: 24 },
    ],
    faults: { oom: 27, stale_keepalive: 7, bind_race: 5, create_timeout: 1, evicted: 1 },
    absorbed: { execRetries: 21, createRetries: 9, transportRetries: 6 },
    nodes: NODES,
    badNode: null,
    startsBeforeEndH: 9 * 24 - 7,
    hours: 5,
    verifySandboxes: 0,
    execErrors: null,
  },
  {
    id: "swe-8gi",
    name: "8Gi limits, 2Gi requests",
    notes: "Made-up demo data. The candidate: the limit raised, everything else as before.",
    planned: 500,
    config: {
      ...SHARED,
      "resources.memory_mib": 8192,
      "connection.keepalive_expiry_s": 30,
      "create.skip_health_check": true,
    },
    memoryLimitMib: 8192,
    groups: [
      { tasks: 15, attempts: 4, passed: 34, lost: 4 },
      { tasks: 8, attempts: 3, passed: 16, lost: 2 },
      { tasks: 102, attempts: 2, passed: 140, lost: 13 },
    ],
    faults: { oom: 2, stale_keepalive: 6, bind_race: 7, create_timeout: 2, evicted: 1, proxy_error: 1 },
    absorbed: { execRetries: 18, createRetries: 7, transportRetries: 5 },
    nodes: NODES,
    badNode: null,
    startsBeforeEndH: 6 * 24 - 8,
    hours: 5,
    verifySandboxes: 0,
    execErrors: null,
  },
  {
    id: "swe-8gi-bounded",
    name: "8Gi limits, keep-alive 3 s, health-checked create",
    notes: "Made-up demo data. The later run: idle sockets are closed before the server closes them.",
    planned: 70,
    config: {
      ...SHARED,
      "resources.memory_mib": 8192,
      "connection.keepalive_expiry_s": 3,
      "create.skip_health_check": false,
    },
    memoryLimitMib: 8192,
    groups: [{ tasks: 35, attempts: 2, passed: 47, lost: 3 }],
    faults: { backend_dead: 3 },
    absorbed: { execRetries: 0, createRetries: 2, transportRetries: 0 },
    nodes: NODES.slice(0, 12),
    badNode: { name: "gpu-pool-31", rollouts: 9 },
    startsBeforeEndH: 10,
    hours: 3,
    verifySandboxes: 22,
    execErrors: 101,
  },
];
