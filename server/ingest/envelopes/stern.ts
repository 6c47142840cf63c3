/** stern: its JSON records (`podName`, `containerName`, `message`), and its text when the pod is a sandbox's own (`<id>-0 sandbox …`). */
import type { Envelope, Payload } from "../format";
import { type JsonObject, textOf } from "../formats/json-fields";
import { shareOf } from "./head-lines";
import { recordOf } from "./json-record";
import { definedOf } from "./kubernetes-labels";
import { unwrapInner } from "./nested";

const LOOKS = /"podName"\s*:/;
/** Other pods' names look like any words: only one made of a sandbox's id tells. */
const TEXT =
  /^(?:([a-z0-9-]+) )?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+) (sandbox|egress|execd-installer|task-executor) (.*)$/s;

export const stern: Envelope = {
  name: "stern",
  detect: (head) => shareOf(head, (line) => isJson(line) || TEXT.test(line)),
  open(line, lineNumber) {
    const text = TEXT.exec(line);
    if (text) {
      const [, namespace, pod, container, said = ""] = text;
      return {
        payloads: [
          unwrapInner({ who: definedOf({ namespace, pod, container }), at: null, text: said, line: lineNumber }),
        ],
      };
    }
    const read = isJson(line) ? recordOf(line) : null;
    if (read === null || "reject" in read) return read;
    const payload = payloadOf(read.record, lineNumber);
    return payload && { payloads: [unwrapInner(payload)] };
  },
};

function isJson(line: string): boolean {
  return line.startsWith("{") && LOOKS.test(line) && /"containerName"\s*:/.test(line);
}

function payloadOf(record: JsonObject, line: number): Payload | null {
  const text = textOf(record, "message");
  if (text === undefined) return null;
  const who = definedOf({
    node: textOf(record, "nodeName"),
    namespace: textOf(record, "namespace"),
    pod: textOf(record, "podName"),
    container: textOf(record, "containerName"),
  });
  return { who, at: null, text: text.replace(/\r?\n$/, ""), line };
}
