/** Docker's json-file driver: `{"log":"…\n","stream":"stderr","time":"…"}`. A log without its newline goes on in the next record. */
import type { Envelope, Payload } from "../format";
import { isObject, jsonFault, textOf } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { shareOf } from "./head-lines";
import { whoFromLabels } from "./kubernetes-labels";

const UTC = { tz: "+00:00", receivedAt: 0 };
const LOOKS = /^\{"log":"/;

export const dockerJson: Envelope = {
  name: "docker-json",
  detect: (head) =>
    shareOf(head, (line) => LOOKS.test(line) && !/"(?:kubernetes|date|log_processed)":/.test(line)) * 0.9,
  open(line, lineNumber) {
    if (!LOOKS.test(line)) return null;
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch {
      return { reject: jsonFault(line) };
    }
    if (!isObject(record) || typeof record.log !== "string" || record.kubernetes !== undefined) return null;
    const time = timeOf(record.time, UTC);
    if (!time) return null;
    const payload: Payload = {
      who: { ...whoFromLabels(isObject(record.attrs) ? record.attrs : undefined) },
      at: time.at,
      text: record.log.replace(/\r?\n$/, ""),
      line: lineNumber,
    };
    const written = textOf(record, "time");
    if (written) payload.time = written;
    const stream = textOf(record, "stream");
    if (stream) payload.who.stream = stream;
    if (!record.log.endsWith("\n")) payload.partial = true;
    return { payloads: [payload] };
  },
};
