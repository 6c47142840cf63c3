import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { everything, openMemory, send } from "../support/deliveries";

const burst = readFileSync(new URL("../cases/019-daytona-runner-burst.jsonl", import.meta.url), "utf8");

test("a shared fault stays shared when more arrives on its node, and goes when its delivery is undone", async () => {
  const store = await openMemory();
  const shared = async () =>
    (await everything((page) => store.listIncidents({}, page)))
      .filter((i) => i.hits.sandboxes > 1)
      .map((i) => i.hits.sandboxes);
  const { batchId } = await send(store, Buffer.from(burst));
  expect(await shared()).toEqual([6]);
  const last = burst
    .trim()
    .split("\n")
    .find((line) => line.includes("runner-4")) as string;
  await send(store, Buffer.from(`${last.replace(/"d\d+"/, '"d99"')}\n`), { source: "second" });
  expect(await shared()).toEqual([7]);
  await store.dropBatch(batchId);
  await (await import("@/server/derive/settle")).settleAll(store);
  expect(await shared()).toEqual([]);
  await store.close();
});
