/**
 * The one ordered list. The first rule that holds wins, so the order is part of the meaning:
 *
 * 1. what reads like a failure and is none, lest a later rule takes its words;
 * 2. typed ends of commands (codes, counters), which no text can outweigh, and answers of programs in the sandbox,
 *    whose bodies are the agent's text;
 * 3. producers' own words and the model's client classes: an eval timeout or a judge's 429 is not the sandbox's;
 * 4. roots (pod, node), since a typed "OOM-killed" arrives inside an "unreachable" error;
 * 5. the clean-up, which is teardown whatever broke it;
 * 6. the control plane, whose outer error (a create that timed out) says more than the refused connect beneath it;
 * 7. proxy, then gateways: the hop that names itself before bare statuses;
 * 8. commands, then transport from the innermost cause (names, TLS, descriptors) to the bare reset;
 * 9. the harness, and last what only a status or a producer's bare word tells.
 *
 * How formats speak to the rules, where `Evidence` alone leaves it open:
 * - a command's exit is kind `exit`; its message is the command's output and proves nothing about the infrastructure;
 * - Envoy's response flags stand in `code` (`UF,URX`), its details in `message` (`via_upstream`);
 * - a sandbox's state beside an HTTP answer stands in `finishedStatus` (`stopping`, `stopped`);
 * - kind `condition`: `reason` is the type, `finishedStatus` True, False or Unknown. `Ready` is the node's: a pod's own
 *   Ready condition is routine and is not given;
 * - a probe has failed when it has a `code`, an `errorType` or a status ≥ 400; `finishedStatus: "own_fault"` takes it out.
 *   A canary's `bytesRead` counts the bytes of this answer, a harness's those of the socket's life;
 * - the canary's own codes: `NO_TERMINAL_EVENT`, `TIMEOUT`, `LEAK`;
 * - a record's honest zero is kind `finished` with `finishedStatus: "failed"`;
 * - containers that wait (`CrashLoopBackOff`, `ImagePullBackOff`) are kind `pod_status` with that `reason`.
 */
import type { Rule } from "../rule";
import { AGENT_TEXT, COMMANDS } from "./agent";
import { APP } from "./app";
import { CONTROL } from "./control";
import { CONTROL_CREATE } from "./control-create";
import { CONTROL_GONE, GONE_STEP } from "./control-gone";
import { CONTROL_STATUS } from "./control-status";
import { EXEC, EXEC_TYPED, EXEC_WORD } from "./exec";
import { GATEWAY } from "./gateway";
import { GATEWAY_ACCESS } from "./gateway-access";
import { CLEANUP, HARNESS } from "./harness";
import { MODEL } from "./model";
import { NODE } from "./node";
import { NOTHING } from "./nothing";
import { OOM_COUNTERS, POD } from "./pod";
import { POD_IMAGE } from "./pod-image";
import { POD_START } from "./pod-start";
import { PROXY } from "./proxy";
import { TRANSPORT } from "./transport";
import { TRANSPORT_CAUSE } from "./transport-cause";
import { TRANSPORT_KEEPALIVE } from "./transport-keepalive";
import { WORDS } from "./words";

export const RULES: readonly Rule[] = [
  ...NOTHING,
  ...OOM_COUNTERS,
  ...EXEC_TYPED,
  ...GONE_STEP,
  ...COMMANDS,
  ...AGENT_TEXT,
  ...APP,
  ...WORDS,
  ...MODEL,
  ...POD,
  ...POD_IMAGE,
  ...NODE,
  ...POD_START,
  ...CLEANUP,
  ...CONTROL_CREATE,
  ...CONTROL_GONE,
  ...CONTROL,
  ...PROXY,
  ...GATEWAY_ACCESS,
  ...GATEWAY,
  ...EXEC,
  ...TRANSPORT_CAUSE,
  ...TRANSPORT_KEEPALIVE,
  ...TRANSPORT,
  ...HARNESS,
  ...CONTROL_STATUS,
  ...EXEC_WORD,
];
