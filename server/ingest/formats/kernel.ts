/** The kernel's own lines, from dmesg or the journal: kills for memory, tables that are full, disks that fail. */
import type { Evidence } from "@/server/domain/evidence";
import type { Format, Seen } from "../format";
import { bounded } from "./bounded";

const DMESG = /^(?:<\d+>)?\[\s*\d+\.\d+\] ?(.*)$/s;
const NOTABLE =
  /out of memory|oom-kill|oom_reaper|Killed process|table full|table overflow|fork rejected|soft lockup|blocked for more than|page allocation failure|EXT4-fs|I\/O error|segfault/i;
const POD_CGROUP = /\bpod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})/;

export const kernel: Format = {
  name: "kernel",
  title: "Kernel log lines (dmesg, journal)",
  unit: "line",
  accepts: (payload) => DMESG.test(payload.text) || / kernel$/.test(payload.who.source ?? ""),
  read(payload, sink) {
    const message = bounded(DMESG.exec(payload.text)?.[1] ?? payload.text);
    if (!NOTABLE.test(message)) {
      sink.routine(payload);
      return;
    }
    const evidence: Evidence = { layer: "kernel", kind: "line", message };
    const seen: Seen = { evidence };
    const podUid = POD_CGROUP.exec(message)?.[1];
    if (podUid) seen.podUid = podUid.replaceAll("_", "-");
    sink.observe(payload, seen);
  },
};
