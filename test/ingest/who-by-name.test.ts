import { expect, test } from "vitest";
import { incidents, openMemory, send } from "../support/deliveries";

const LINE = (n: number) =>
  JSON.stringify({
    level: "error",
    ts: `2026-10-06T12:00:0${n}.000Z`,
    msg: "CommandExecError: error starting commands: fork/exec /bin/bash: resource temporarily unavailable",
  });
const record = (n: number, kubernetes: object) =>
  `${JSON.stringify({ date: 1_791_288_000 + n, stream: "stdout", log: LINE(n), kubernetes: { pod_name: "web-7", namespace_name: "ns", container_name: "sandbox", ...kubernetes } })}\n`;

/** One collector knows the pod's UID, another its labels. */
const BY_UID = record(1, { pod_id: "8eb38dc5-9725-493f-921e-84f871c93966", host: "n-1" });
const BY_LABEL = record(2, { labels: { "opensandbox.io/id": "s-1", "nemo-gym.nvidia.com/run": "r-1" } });

test("what two collectors know of a pod by its name comes together, whichever comes first", async () => {
  const pictures = [];
  for (const order of [[BY_UID, BY_LABEL], [BY_LABEL, BY_UID], [BY_UID + BY_LABEL]]) {
    const store = await openMemory();
    for (const body of order) await send(store, body);
    const found = await incidents(store);
    expect(found.map((one) => [one.sandbox, one.node, one.keys.length])).toEqual([["s-1", "n-1", 2]]);
    pictures.push(found.map(({ id, firstAt, keys }) => ({ id, firstAt, keys: [...keys].sort() })));
  }
  expect(pictures[1]).toEqual(pictures[0]);
  expect(pictures[2]).toEqual(pictures[0]);
});
