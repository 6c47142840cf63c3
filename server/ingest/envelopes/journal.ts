/**
 * A machine's journal as JSON: `journalctl -o json`, what Fluent Bit, Vector, Filebeat and the OTel Collector make of it, and the
 * records of syslog parsers (`ident` or `appname` beside a host).
 */
import type { Payload } from "../format";
import type { JsonObject } from "../formats/json-fields";
import { timeOf } from "../formats/times";
import { fieldAt, recordEnvelope, textAt } from "./json-record";
import { machineWriter } from "./machine-writer";

const UTC = { tz: "+00:00", receivedAt: 0 };
const LOOKS =
  /"(?:SYSLOG_IDENTIFIER|_SYSTEMD_UNIT|_TRANSPORT|ident|appname|programname|syslog|systemd|syslog\.identifier|systemd\.unit|app-name)"\s*:/;
const PROGRAM = [
  ...["SYSLOG_IDENTIFIER", "syslog.identifier", "log.syslog.appname", "process.name", "ident", "appname", "app-name"],
  ...["programname", "_SYSTEMD_UNIT", "systemd.unit", "_COMM"],
];
const HOST = ["_HOSTNAME", "host.hostname", "host.name", "hostname", "host"];
/** Microseconds of the journal first, then what collectors name the same time. */
const TIMES = ["__REALTIME_TIMESTAMP", "date", "timestamp", "@timestamp", "time", "_SOURCE_REALTIME_TIMESTAMP"];
/** By the priority of syslog. */
const LEVELS: readonly NonNullable<Payload["level"]>[] = [
  ...(["fatal", "fatal", "fatal", "error", "warn", "info", "info", "debug"] as const),
];

export const journal = recordEnvelope("journal", looksOurs, payloadOf);

function looksOurs(line: string): boolean {
  return line.startsWith("{") && LOOKS.test(line) && !/"kubernetes"\s*:/.test(line);
}

function payloadOf(record: JsonObject, line: number): Payload | null {
  const text = messageOf(record);
  const host = textAt(record, ...HOST);
  const transport = textAt(record, "_TRANSPORT", "systemd.transport");
  const program = transport === "kernel" ? "kernel" : textAt(record, ...PROGRAM);
  if (text === undefined || host === undefined || program === undefined) return null;
  const time = TIMES.map((name) => timeOf(record[name], UTC)).find((one) => one !== null);
  const payload: Payload = { who: machineWriter(host, program), at: time?.at ?? null, text, line };
  const level = LEVELS[Number(fieldAt(record, "PRIORITY") ?? Number.NaN)];
  if (level) payload.level = level;
  return payload;
}

/** journalctl writes text that is no plain UTF-8 as a list of bytes. */
function messageOf(record: JsonObject): string | undefined {
  const said = record.MESSAGE;
  if (Array.isArray(said) && said.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256))
    return Buffer.from(said).toString("utf8");
  return textAt(record, "MESSAGE", "message", "log", "msg")?.replace(/\r?\n$/, "");
}
