/** Image pulls: one class with the cause below it, wherever the pull is reported. */
import type { Condition, Rule } from "../rule";
import { agentSaid, event, harness, raised, runtime, server } from "./examples";

const LAYERS = ["kubernetes", "runtime", "server", "harness", "record"] as const;

const PULL =
  /Failed to pull image|ErrImagePull|ImagePullBackOff|Back-off pulling image|InvalidImageName|ErrImageNeverPull|RegistryUnavailable|ImageInspectError|PullImage .{0,300}failed|failed to pull and unpack|pull access denied|manifest unknown|DockerPullError|SANDBOX_IMAGE_PULL_FAILED|does not exist in container registry|failed to get sandbox image|pull QPS exceeded|\btoomanyrequests\b|reached your pull rate limit/;

/** The cause stands behind the word of the pull, within one message. */
const CAUSE =
  /(?:[Pp]ull(?:ing)?(?: and unpack)? image|PullImage|ErrImagePull|DockerPullError|IMAGE_PULL_FAILED)[\s\S]{0,1200}?(?:(?<rate_limit>toomanyrequests|429 Too Many|pull rate limit|pull QPS exceeded|registry pull QPS)|(?<tls>x509: |tls: |certificate)|(?<disk>no space left on device)|(?<auth>pull access denied|unauthorized|authorization failed|authentication required|denied: |403 Forbidden)|(?<not_found>: not found|manifest unknown|manifest for .{1,200} not found|does not exist|NotFound\b)|(?<dns>no such host|server misbehaving)|(?<timeout>i\/o timeout|deadline exceeded|Client\.Timeout)|(?<network>connection refused|connection reset|no route to host|unexpected EOF))/;

const PULL_TYPE = /^(DockerPullError|ImagePullError|SandboxImagePullError|ImageNotFound|ImageNotFoundError)$/;

/** A pull's message, told as an event, a status or a line. */
const pull = (message: RegExp): Condition[] => [{ layer: LAYERS, message }];

export const POD_IMAGE: readonly Rule[] = [
  {
    id: "nothing.image_pulled",
    class: null,
    when: [{ layer: "kubernetes", kind: "event", reason: /^(Pulled|Pulling)$/ }],
    confidence: "certain",
    why: "The pull went on or was done.",
    yes: [event("Pulled", 'Successfully pulled image "reg.internal/t:1" in 1.2s')],
    no: [event("Failed", "Error: ErrImagePull")],
  },
  {
    id: "pod.image_pull_caused",
    class: "pod.image_pull",
    when: [{ layer: LAYERS, message: CAUSE }],
    unless: [{ reason: /^(FailedScheduling|Unhealthy|Evicted|FailedMount|FailedCreatePodSandBox|OOMKilling)$/ }],
    confidence: "certain",
    why: "The message of the failed pull names its cause.",
    yes: [
      event(
        "Failed",
        'Failed to pull image "docker.io/e/t:9": failed to copy: 429 Too Many Requests - toomanyrequests',
      ),
      event(
        "Failed",
        'Failed to pull image "registry.example/big:1": failed to extract layer: no space left on device',
      ),
      event("Failed", 'Failed to pull image "docker.io/example/task:9": pull QPS exceeded'),
    ],
    no: [event("Failed", "Error: ImagePullBackOff"), agentSaid("Failed to pull image x: not found")],
  },
  {
    id: "pod.image_pull",
    class: "pod.image_pull",
    when: [
      ...pull(PULL),
      {
        layer: ["kubernetes"],
        reason: /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ImageInspectError|InspectFailed)$/,
      },
      { kind: "container_end", reason: /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)$/ },
      { layer: ["record", "harness"], errorType: PULL_TYPE },
      { code: /SANDBOX_IMAGE_PULL_FAILED/ },
    ],
    unless: [{ kind: "exec_log" }],
    confidence: "certain",
    why: "A kubelet, runtime or server says that the image did not come; its cause stands in another line.",
    yes: [
      event("Failed", "Error: ImagePullBackOff"),
      event("BackOff", 'Back-off pulling image "docker.io/example/task:9"'),
      { layer: "runtime", kind: "line", message: "Reason: ErrImagePull" },
      raised("DockerPullError", "Failed to pull image example/sweb.gamma-3003"),
      server("Sandbox 0a94 state: Failed - 1/1 observed pods failed; primary reason=ImagePullBackOff", {
        kind: "line",
      }),
    ],
    no: [
      event("BackOff", "Back-off restarting failed container sandbox"),
      harness("git pull failed"),
      runtime("PLEG is not healthy"),
    ],
  },
];
