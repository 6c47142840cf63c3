/** The kernel's own lines, from dmesg or the journal: kills for memory, tables that are full, disks that fail. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, Seen } from "../format";
import { bounded } from "./bounded";
import { parseTime } from "./times";

/** Seconds since the machine started, or `dmesg -T`'s wall clock of the machine. */
const DMESG = /^(?:<\d+>)?\[(?:\s*\d+\.\d+|([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}))\] ?(.*)$/s;
const NOTABLE =
  /out of memory|oom-kill|oom_reaper|Killed process|table full|table overflow|fork rejected|soft lockup|blocked for more than|page allocation failure|EXT4-fs|I\/O error|segfault/i;
/** The kernel tells one kill twice: first with the cgroups and the constraint, then with the sizes. */
const CHOSEN = /oom-kill:constraint=\w+.*,pid=(\d+)/;
const POD_CGROUP = /\bpod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})/;

export const kernel: Format = {
  name: "kernel",
  title: "Kernel log lines (dmesg, journal)",
  unit: "line",
  accepts: (payload) => DMESG.test(payload.text) || / kernel$/.test(payload.who.source ?? ""),
  continues: tellsSameKill,
  read(payload, sink, { params, receivedAt }) {
    const dmesg = DMESG.exec(payload.text);
    const message = bounded(dmesg?.[2] ?? payload.text);
    if (!NOTABLE.test(message)) {
      sink.routine(payload);
      return;
    }
    const evidence: Evidence = { layer: "kernel", kind: "line", message };
    const seen: Seen = { evidence };
    const time =
      dmesg?.[1] === undefined ? null : parseTime(dmesg[1].replace(/ {2}/, " "), { tz: params.tz, receivedAt });
    if (time && payload.at === null) Object.assign(seen, { at: time.at, atAssumed: time.assumed });
    const podUid = POD_CGROUP.exec(message)?.[1];
    if (podUid) seen.podUid = podUid.replaceAll("_", "-");
    sink.observe(payload, seen);
  },
};

function tellsSameKill(text: string, soFar?: string): boolean {
  const pid = soFar === undefined ? undefined : CHOSEN.exec(soFar)?.[1];
  return pid !== undefined && text.includes(`Killed process ${pid} `);
}
