/** The last resort: console text that no other format types. What a sandbox prints is the agent's, whatever it says. */
import type { Evidence, Layer } from "@/server/domain/evidence";
import type { Format, Payload } from "../format";
import { bounded } from "./bounded";
import { idsIn, peerIn } from "./ids-in-text";
import { isFolded, stripAnsi } from "./log-line";

const CRASH =
  /^(?:panic: |fatal error: |Killed$|Segmentation fault|.*\(core dumped\)|.*: line \d+:\s+\d+ Killed\b)|Out of memory|OOMKilled/;
/** What a sandbox's program says of its own memory and network, so that it is seen as the agent's and not as nothing. */
const AGENT_TROUBLE =
  /\bMemoryError\b|Cannot allocate memory|heap out of memory|std::bad_alloc|Could not resolve host|name resolution|Name or service not known|SSL certificate problem|CERTIFICATE_VERIFY_FAILED|fatal: unable to access|npm ERR! network/;
const SERVER = /opensandbox-server/;
const NOTABLE =
  /\b(?:error|errors|failed|failure|panic|fatal|exception|timeout|timed out|refused|reset|unreachable|denied|evicted|killed|OOM|exhausted|unavailable|disconnected|throttl\w*|handshake|traceback|too many|no space|temporary|terminated)\b|\w(?:Error|Exception|Timeout|BackOff|Pull)\b|\b(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ENOSPC|EMFILE|EPIPE|ETIMEDOUT)\b/i;

export const consoleText: Format = {
  name: "console",
  title: "Console text without a known format",
  unit: "line",
  inSandbox: true,
  accepts: () => true,
  read(payload, sink) {
    const text = bounded(stripAnsi(payload.text).trim());
    const fromSandbox = payload.who.container === "sandbox";
    const notable = fromSandbox ? CRASH.test(text) || AGENT_TROUBLE.test(text) : NOTABLE.test(text);
    if (!notable) {
      sink.routine(payload);
      return;
    }
    const evidence: Evidence = {
      layer: fromSandbox ? "agent" : writerOf(payload),
      kind: "line",
      message: text,
      ...peerIn(text),
    };
    if (isFolded(text)) evidence.sampled = true;
    if (payload.level) evidence.level = payload.level;
    sink.observe(payload, { evidence, ...(fromSandbox ? {} : idsIn(text)) });
  },
};

function writerOf({ who }: Payload): Layer {
  return SERVER.test(`${who.container ?? ""} ${who.source ?? ""}`) ? "server" : "harness";
}
