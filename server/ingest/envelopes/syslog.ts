/** syslog and journald as text: `Jan 02 03:04:05 host program[pid]: …`, and the ISO form of `journalctl -o short-iso`. */
import type { Envelope } from "../format";
import { type Clock, parseTime } from "../formats/times";
import { shareOf } from "./head-lines";

const LINE =
  /^(?:<\d{1,3}>)?([A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?[+-]\d\d:?\d\d) ([\w.-]+) ([\w./@-]+)(?:\[([^\]]*)\])?(?: \w+ \[[^\]]*\])?: (.*)$/s;
/** journalctl's own lines about the journal. */
const ABOUT = /^-- (?:Journal begins|Logs begin|No entries|Boot|Reboot)/;

/** These write about machines other than their own. */
const CONTROL_PLANE = /^(kube-(?:controller-manager|scheduler|apiserver)|cloud-controller-manager|etcd)$/;

export const syslog: Envelope = {
  name: "syslog",
  detect: (head) => shareOf(head, (line) => LINE.test(line) || ABOUT.test(line)),
  open(line, lineNumber, clock) {
    if (ABOUT.test(line)) return { payloads: [] };
    const match = LINE.exec(line);
    if (!match) return null;
    const [, time = "", host, program = "", , text = ""] = match;
    // A path-like program name (`/usr/bin/x`) is a program all the same.
    const name = program.slice(program.lastIndexOf("/") + 1);
    const who = { source: `${host} ${name}`, ...(CONTROL_PLANE.test(name) ? {} : { node: host }) };
    return { payloads: [{ who, at: timeOf(time, clock), text, line: lineNumber }] };
  },
};

function timeOf(text: string, clock: Clock | undefined): number | null {
  if (/^\d{4}-/.test(text)) return parseTime(text, { tz: null, receivedAt: 0 })?.at ?? null;
  return clock ? (parseTime(text.replace(/ +/g, " "), clock)?.at ?? null) : null;
}
