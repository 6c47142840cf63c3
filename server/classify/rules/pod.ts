/** What became of the pod: memory, eviction, kills. Roots of many symptoms, so they are judged before them. */
import type { Rule } from "../rule";
import {
  agentSaid,
  CLIENT,
  condition,
  ended,
  event,
  exited,
  harness,
  kernel,
  raised,
  record,
  runtime,
  server,
  TOLD,
} from "./examples";

const OOM_TEXT =
  /Sandbox was OOM-killed|primary reason=OOMKilled|terminated with OOMKilled|\bOOMKilled\b|SandboxOOMError|\[MemoryWatchdog[^\]]{0,200}\] OOM|ECS task stopped:.{0,200}OutOfMemory/;
/** The reason of a sandbox's end, as the API gives it. */
const ENDED_EVICTED = /\b(?:Evicted|Preempted)\b/;
const MEMCG =
  /Memory cgroup out of memory|oom-kill:constraint=CONSTRAINT_MEMCG|killed as a result of limit of|TaskOOM\b/;

/** Counters of the sandbox's cgroup beside a command's end. */
export const OOM_COUNTERS: readonly Rule[] = [
  {
    id: "pod.oom_counter",
    class: "pod.oom_process",
    when: [
      { kind: ["exit", "counter"], memoryOomKills: { min: 1 }, memoryOomEvents: { min: 1 } },
      { kind: ["exit", "counter"], memoryOomKills: { min: 1 }, memoryMaxEvents: { min: 1 } },
    ],
    subCause: "counter",
    confidence: "certain",
    why: "The sandbox's own cgroup met its limit and killed a process, and the sandbox lived to say so.",
    yes: [exited(137, { memoryOomKills: 1, memoryOomEvents: 1, memoryMaxEvents: 191_487 })],
    no: [exited(137, { memoryOomKills: 0, memoryOomEvents: 0, memoryMaxEvents: 7 })],
  },
  {
    id: "pod.oom_counter_weak",
    class: "pod.oom_process",
    when: [{ kind: ["exit", "counter"], memoryOomKills: { min: 1 } }],
    subCause: "ancestor",
    confidence: "possible",
    why: "A process was killed though this cgroup never met its limit: perhaps a limit above it did.",
    yes: [exited(137, { memoryOomKills: 1, memoryOomEvents: 0, memoryMaxEvents: 0 })],
    no: [exited(137, { memoryOomKills: 0 })],
  },
];

export const POD: readonly Rule[] = [
  {
    id: "pod.oom_sidecar",
    class: "pod.oom_process",
    when: [{ kind: "container_end", reason: "OOMKilled", mainContainer: false }],
    subCause: "sidecar",
    confidence: "certain",
    why: "A helper container beside the sandbox was killed for memory.",
    yes: [ended(137, "OOMKilled", { container: "egress", mainContainer: false })],
    no: [ended(137, "OOMKilled")],
  },
  {
    id: "pod.oom_child",
    class: "pod.oom_process",
    when: [{ kind: "container_end", reason: "OOMKilled", exitCode: 0 }],
    subCause: "child",
    confidence: "certain",
    why: "The main process ended well, so the kill took a child.",
    yes: [ended(0, "OOMKilled")],
    no: [ended(137, "OOMKilled"), ended(0, "Completed")],
  },
  {
    id: "pod.oom_killed_reason",
    class: "pod.oom_killed",
    when: [
      { kind: "container_end", reason: "OOMKilled" },
      { layer: "kubernetes", kind: "pod_status", reason: "OOMKilled" },
    ],
    unless: [{ mainContainer: false }],
    confidence: "certain",
    why: "Kubernetes gives the reason.",
    yes: [ended(137, "OOMKilled")],
    no: [ended(137, "Error"), ended(137, "OOMKilled", { mainContainer: false })],
  },
  {
    id: "pod.oom_killed_typed",
    class: "pod.oom_killed",
    when: [
      { layer: TOLD, message: OOM_TEXT },
      {
        layer: ["record", "harness"],
        kind: ["error", "finished"],
        producerClass: /^(oom|oom_killed|sandbox_oom|SandboxOOMError)$/,
      },
      { layer: ["record", "harness"], kind: ["error", "finished"], errorChain: "SandboxOOMError" },
    ],
    unless: [{ kind: "exec_log" }],
    confidence: "certain",
    why: "The harness or server was told the reason and passes it on.",
    yes: [
      raised(
        "SandboxBackendUnreachableError",
        "Sandbox was OOM-killed. OpenSandbox status: state='Failed', message='1/1 observed pods failed; primary reason=OOMKilled'",
      ),
      record("", { producerClass: "oom" }),
    ],
    no: [agentSaid("OOMKilled"), harness("the boom and the room")],
  },
  {
    id: "node.oom",
    class: "node.oom",
    when: [
      { kind: "event", reason: "SystemOOM" },
      {
        layer: ["kernel", "kubernetes", "runtime"],
        message:
          /(?:^|[^p] )Out of memory: Kill(?:ed)? process|oom-kill:constraint=CONSTRAINT_(?:NONE|CPUSET|MEMORY_POLICY)|System OOM encountered/,
      },
    ],
    unless: [{ message: MEMCG }],
    confidence: "certain",
    why: "The machine itself ran out of memory and chose a victim; no cgroup limit was involved.",
    yes: [
      kernel("Out of memory: Killed process 4242 (python3) total-vm:1kB"),
      event("SystemOOM", "System OOM encountered, victim process: python3"),
    ],
    no: [kernel("Memory cgroup out of memory: Killed process 991 (python3) total-vm:1kB")],
  },
  {
    id: "pod.oom_process",
    class: "pod.oom_process",
    when: [
      { layer: ["kernel", "kubernetes", "runtime"], message: MEMCG },
      { kind: "event", reason: "OOMKilling" },
    ],
    confidence: "certain",
    why: "The kernel killed one process in a cgroup; whether the sandbox died, its container status says.",
    yes: [
      event("OOMKilling", "Memory cgroup out of memory: Killed process 991 (python3) total-vm:1kB"),
      kernel("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),task=python3,pid=991"),
    ],
    no: [kernel("Out of memory: Killed process 4242 (python3)"), agentSaid("Memory cgroup out of memory")],
  },
  {
    id: "pod.evicted",
    class: "pod.evicted",
    when: [
      {
        layer: "kubernetes",
        kind: ["event", "pod_status", "container_end"],
        reason: /^(Evicted|Preempted|Preempting|TaintManagerEviction|EvictionByEvictionAPI)$/,
      },
      { layer: "kubernetes", kind: "condition", reason: "DisruptionTarget", finishedStatus: "True" },
      { layer: CLIENT, code: /SANDBOX::ENDED/, message: ENDED_EVICTED },
      { layer: CLIENT, errorType: "SandboxEndedError", message: ENDED_EVICTED },
      {
        layer: ["harness", "record"],
        kind: ["error", "retry"],
        message: /SANDBOX::ENDED.{0,300}\b(?:Evicted|Preempted)\b/,
      },
      {
        layer: ["server", "runtime", "harness", "record", "kubernetes"],
        kind: ["error", "retry", "line", "event", "pod_status"],
        message:
          /The node was low on resource|The node had condition: \[|Failed phase \(Evicted\)|primary reason=Evicted|NoExecuteTaintManager is deleting pod|Marking for deletion Pod|TaintManagerEviction|eviction manager: (?:pod .{0,200}is evicted|pods .{0,200}evicted)|[Ee]viction manager: pod is evicted successfully|controller="taint-eviction-controller"|Usage of EmptyDir volume|Pod ephemeral local storage usage exceeds|\bPreempted by\b/,
      },
    ],
    unless: [{ reason: "EvictionThresholdMet" }],
    confidence: "certain",
    why: "The kubelet, the scheduler or the taint manager removed the pod.",
    yes: [
      event("Evicted", "The node was low on resource: memory."),
      {
        layer: "kubernetes",
        kind: "pod_status",
        reason: "Evicted",
        message: 'Usage of EmptyDir volume "home" exceeds the limit',
      },
      runtime('"NoExecuteTaintManager is deleting pod" pod="sandboxes/sbx-n1-0"', { level: "info" }),
      condition("DisruptionTarget", "True"),
      raised("SandboxEndedError", "sandbox ended: Evicted"),
      runtime('"Eviction manager: pod is evicted successfully" pod="sandboxes/sbx-n1-0"', { level: "info" }),
    ],
    no: [event("PodEvicted", "Evicted idle pool pod"), agentSaid("evicted from cache")],
  },
  {
    id: "pod.killed_unknown",
    class: "pod.killed_unknown",
    when: [{ kind: "container_end", exitCode: 137 }],
    unless: [
      { deleting: true },
      { reason: /^(OOMKilled|Evicted|DeadlineExceeded|Completed)$/ },
      { mainContainer: false },
    ],
    confidence: "possible",
    why: "SIGKILL ended the sandbox's container, and nothing says who sent it.",
    yes: [ended(137, "Error"), ended(137, "ContainerStatusUnknown")],
    no: [ended(137, "Error", { deleting: true }), ended(143, "Error"), ended(137, "OOMKilled"), exited(137)],
  },
  {
    id: "pod.killed_sidecar",
    class: "pod.killed_unknown",
    when: [{ kind: "container_end", exitCode: 137, mainContainer: false }],
    unless: [{ deleting: true }, { reason: /^(OOMKilled|Evicted|Completed)$/ }],
    subCause: "sidecar",
    confidence: "possible",
    why: "SIGKILL ended a helper container beside the sandbox.",
    yes: [ended(137, "Error", { mainContainer: false })],
    no: [ended(137, "Error")],
  },
  {
    id: "pod.killed_entrypoint",
    class: "pod.killed_unknown",
    when: [{ layer: ["execd", "runtime"], message: /^(?:\S{1,100}: line \d+:\s+\d+ )?Killed\b(?:\s+\S{1,200}){0,3}$/ }],
    subCause: "entrypoint",
    confidence: "possible",
    why: "The shell that started the sandbox saw its child killed.",
    yes: [{ layer: "execd", kind: "line", message: "/opt/bootstrap.sh: line 30:    12 Killed   /opt/execd" }],
    no: [agentSaid("Killed"), server("Killed the sandbox as asked for by the user and its operator")],
  },
  {
    id: "nothing.container_end",
    class: null,
    when: [
      { kind: "container_end", deleting: true },
      { kind: "container_end", exitCode: [0, 143] },
    ],
    confidence: "certain",
    why: "A container that was told to end: a delete whose grace ran out, SIGTERM, or its own good end.",
    yes: [ended(137, "Error", { deleting: true }), ended(143, "Error"), ended(0, "Completed")],
    no: [ended(1, "Error")],
  },
];
