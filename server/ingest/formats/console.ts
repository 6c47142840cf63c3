/** The last resort: console text that no other format types. What a sandbox prints is the agent's, whatever it says. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format } from "../format";
import { bounded } from "./bounded";
import { idsIn, peerIn } from "./ids-in-text";
import { stripAnsi } from "./log-line";

const CRASH =
  /^(?:panic: |fatal error: |Killed$|Segmentation fault|.*\(core dumped\)|.*: line \d+:\s+\d+ Killed\b)|Out of memory|OOMKilled/;
const NOTABLE =
  /\b(?:error|errors|failed|failure|panic|fatal|exception|timeout|timed out|refused|reset|unreachable|denied|evicted|killed|OOM|exhausted|unavailable|disconnected|throttl\w*|handshake|traceback|too many|no space|temporary|terminated)\b|(?:[a-z]|^)[A-Z]\w*(?:Error|Exception|Timeout|BackOff|Pull)\b|\b(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ENOSPC|EMFILE|EPIPE|ETIMEDOUT)\b/i;

export const consoleText: Format = {
  name: "console",
  title: "Console text without a known format",
  unit: "line",
  accepts: () => true,
  read(payload, sink) {
    const text = bounded(stripAnsi(payload.text).trim());
    const fromSandbox = payload.who.container === "sandbox";
    const notable = fromSandbox ? CRASH.test(text) : NOTABLE.test(text);
    if (!notable) {
      sink.routine(payload);
      return;
    }
    const evidence: Evidence = {
      layer: fromSandbox ? "agent" : "harness",
      kind: "line",
      message: text,
      ...peerIn(text),
    };
    if (payload.level) evidence.level = payload.level;
    sink.observe(payload, { evidence, ...(fromSandbox ? {} : idsIn(text)) });
  },
};
