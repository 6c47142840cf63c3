/** syslog and journald as text: `Jan 02 03:04:05 host program[pid]: …`, and the ISO form of `journalctl -o short-iso`. */
import type { Envelope } from "../format";
import { type Clock, parseTime } from "../formats/times";
import { shareOf } from "./head-lines";
import { machineWriter } from "./machine-writer";

const LINE =
  /^(?:<\d{1,3}>)?([A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?[+-]\d\d:?\d\d) (?!(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL) )([\w.-]+) ([\w./@-]+)(?:\[([^\]]*)\])?(?: \w+ \[[^\]]*\])?: (.*)$/s;
/** rsyslog in UTC. A log line with a level and a logger looks the same, so a priority or a machine's own program must stand in it. */
const UTC_LINE =
  /^(?=<\d{1,3}>|\S+ [\w.-]+ (?:kernel|kubelet|containerd|dockerd|systemd|k3s)\b)(?:<\d{1,3}>)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?Z) ([\w.-]+) ([\w./@-]+)(?:\[([^\]]*)\])?: (.*)$/s;
/** RFC 5424: a version, the time, host, program, process, message id and structured data. */
const RFC5424 =
  /^<\d{1,3}>1 (\d{4}-\d\d-\d\dT\S+) ([\w.-]+) ([\w./@-]+) \S+ \S+ (?:-|\[.{0,2000}?\]) (?:\uFEFF)?(.*)$/s;
/** journalctl's own lines about the journal. */
const ABOUT = /^-- (?:Journal begins|Logs begin|No entries|Boot|Reboot)/;

export const syslog: Envelope = {
  name: "syslog",
  detect: (head) => shareOf(head, (line) => partsOf(line) !== null || RFC5424.test(line) || ABOUT.test(line)),
  open(line, lineNumber, clock) {
    if (ABOUT.test(line)) return { payloads: [] };
    const [, time = "", host = "", program = "", text = ""] = RFC5424.exec(line) ?? partsOf(line) ?? [];
    if (host === "") return null;
    return { payloads: [{ who: machineWriter(host, program), at: timeOf(time, clock), text, line: lineNumber }] };
  },
};

/** The same parts of the older layout, in which the process stands in brackets. */
function partsOf(line: string): string[] | null {
  const match = LINE.exec(line) ?? UTC_LINE.exec(line);
  if (!match) return null;
  const [whole, time = "", host = "", program = "", , text = ""] = match;
  return [whole, time, host, program, text];
}

function timeOf(text: string, clock: Clock | undefined): number | null {
  if (/^\d{4}-/.test(text)) return parseTime(text, { tz: null, receivedAt: 0 })?.at ?? null;
  return clock ? (parseTime(text.replace(/ +/g, " "), clock)?.at ?? null) : null;
}
