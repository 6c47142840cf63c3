/** Lines as container runtimes write them to disk: `<time> stdout F <text>`; `P` marks a piece of a longer line. */
import type { Envelope, Payload } from "../format";
import { parseTime } from "../formats/times";
import { shareOf } from "./head-lines";

const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP])(?::\S*)?(?: (.*))?$/s;
const UTC = { tz: "+00:00", receivedAt: 0 };

export const cri: Envelope = {
  name: "cri",
  detect: (head) => shareOf(head, (line) => LINE.test(line.trimEnd())),
  open(line, lineNumber) {
    const match = LINE.exec(line);
    if (!match) return null;
    const [, time = "", stream = "", tag, text = ""] = match;
    const payload: Payload = { who: { stream }, at: parseTime(time, UTC)?.at ?? null, time, text, line: lineNumber };
    if (tag === "P") payload.partial = true;
    return { payloads: [payload] };
  },
};
