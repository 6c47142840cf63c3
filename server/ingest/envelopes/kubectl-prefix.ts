/** `kubectl logs --prefix` (`[pod/name/container] …`) and `--timestamps`, alone or together; stern's `pod container …` has no mark of its own. */
import type { Envelope, Who } from "../format";
import { parseTime } from "../formats/times";
import { shareOf } from "./head-lines";

const LINE =
  /^(?:\[pod\/([^/\]]+)\/([^\]]+)\] )?(?:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d)) )?(.*)$/s;
const UTC = { tz: "+00:00", receivedAt: 0 };

export const kubectlPrefix: Envelope = {
  name: "kubectl-prefix",
  detect: (head) => shareOf(head, (line) => isPrefixed(line.trimEnd())) * 0.95,
  open(line, lineNumber) {
    const match = isPrefixed(line) ? LINE.exec(line) : null;
    if (!match) return null;
    const [, pod, container, time, text = ""] = match;
    const who: Who = pod && container ? { pod, container } : {};
    const at = time ? (parseTime(time, UTC)?.at ?? null) : null;
    return { payloads: [{ who, at, text, line: lineNumber }] };
  },
};

function isPrefixed(line: string): boolean {
  return (
    /^\[pod\/[^/\]]+\/[^\]]+\] /.test(line) || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d) /.test(line)
  );
}
