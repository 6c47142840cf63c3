/** Prefixes of Ray workers, `(func pid=1101, ip=10.2.3.4) …`, and of Gym's servers, `(policy_model) …`. Each process is a stream of its own. */
import type { Envelope } from "../format";
import { stripAnsi } from "../formats/log-line";
import { shareOf } from "./head-lines";

const WORKER = /^\(([\w.:<>-]+) pid=(\d+)(?:, ip=([\w.:-]+))?\) ?(.*)$/s;
const SERVER = /^\(([a-z][a-z0-9_]*)\) (.*)$/s;

export const ray: Envelope = {
  name: "ray",
  detect: (head) => shareOf(head, (line) => WORKER.test(stripAnsi(line)) || SERVER.test(stripAnsi(line))),
  open(line, lineNumber) {
    const text = stripAnsi(line);
    const worker = WORKER.exec(text);
    if (worker) {
      const [, name, pid, ip, rest = ""] = worker;
      const who = ip ? { source: `${name} pid=${pid} ip=${ip}`, node: ip } : { source: `${name} pid=${pid}` };
      return { payloads: [{ who, at: null, text: rest, line: lineNumber }] };
    }
    const server = SERVER.exec(text);
    if (!server) return null;
    return { payloads: [{ who: { source: server[1] }, at: null, text: server[2] ?? "", line: lineNumber }] };
  },
};
