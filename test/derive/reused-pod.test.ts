import { afterEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { settleAll } from "@/server/derive/settle";
import type { FactRows, Store } from "@/server/domain/store";
import { deliver, madeFact, madeLink, madeObservation, T0 } from "../store/made-rows";
import { Random } from "../store/random-rows";
import { openMemoryStore } from "../support/memory-store";

const POD = "pod:default/p1";
const IP = "ip:default/10.0.0.1";
const HOUR = 3_600_000;
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(make: () => Promise<Store>): Promise<Store> {
  const store = await make();
  opened.push(store);
  return store;
}

const sqlite = () => openSqliteStore({ dataDir: ":memory:" });

/** One delivery of a pool's pod: it served this sandbox for half an hour of its hour, and something failed meanwhile. */
function served(hour: number, minutes = 10): Partial<FactRows> {
  const since = T0 + hour * HOUR;
  const at = since + minutes * 60_000;
  return {
    observations: [madeObservation({ key: `k${hour}-${minutes}`, refs: [POD], at })],
    links: [madeLink(POD, `sandbox:default/s${hour}`, { since, until: since + HOUR / 2 }), madeLink(IP, POD)],
    facts: [madeFact(POD, "node", "n1", { at })],
    touched: [POD, `sandbox:default/s${hour}`],
  };
}

/** The subjects that the next settling derives. */
async function derivedNext(store: Store): Promise<string[]> {
  const subjects: string[] = [];
  const watched: Store = Object.assign(Object.create(store) as Store, {
    settle: (change: Parameters<Store["settle"]>[0]) => {
      subjects.push(...change.subjects);
      return store.settle(change);
    },
  });
  await settleAll(watched);
  return subjects.filter((ref) => ref.startsWith("sandbox:"));
}

describe("news of a pod that served many sandboxes", () => {
  it("derives only those that it served around that time", async () => {
    const store = await open(sqlite);
    for (let hour = 0; hour < 50; hour++) {
      await deliver(store, { id: `b${hour}` }, served(hour));
      expect((await derivedNext(store)).length).toBeLessThanOrEqual(hour === 0 ? 1 : 2);
    }
    await deliver(store, { id: "late" }, served(20, 15));
    expect(await derivedNext(store)).toEqual(["sandbox:default/s20"]);
  });

  it("derives all of them when a fact about the pod itself changes, or when it is not known when", async () => {
    const store = await open(sqlite);
    for (let hour = 0; hour < 10; hour++) await deliver(store, { id: `b${hour}` }, served(hour));
    await settleAll(store);
    await deliver(store, { id: "fact" }, { facts: [madeFact(POD, "node", "n2", { rank: 5 })], touched: [POD] });
    expect(await derivedNext(store)).toHaveLength(10);
    await deliver(store, { id: "asked" }, { touched: [POD] });
    expect(await derivedNext(store)).toHaveLength(10);
  });

  it.each([1, 2, 3, 4, 5, 6])("gives the incidents that deriving everything gives (seed %i)", async (seed) => {
    const r = new Random(seed * 104_729);
    const bounded = await open(sqlite);
    const whole = await open(openMemoryStore);
    for (let step = 0; step < 40; step++) {
      const since = T0 + r.int(600) * 60_000;
      const sandbox = `sandbox:default/s${r.int(12)}`;
      const observed = Array.from({ length: r.int(3) }, (_, i) =>
        madeObservation({
          key: `k${step}-${i}`,
          refs: [r.pick([POD, IP, sandbox])],
          at: r.int(10) ? T0 + r.int(620) * 60_000 : null,
        }),
      );
      const rows: Partial<FactRows> = {
        observations: observed,
        links: r.int(2)
          ? [madeLink(POD, sandbox, { since, until: since + r.int(40) * 60_000 }), madeLink(IP, POD)]
          : [],
        facts: r.int(4) ? [] : [madeFact(POD, "node", `n${r.int(2)}`, { rank: r.int(3), at: since })],
        touched: [POD, IP, ...observed.flatMap((one) => one.refs), ...(r.int(2) ? [sandbox] : [])],
      };
      for (const store of [bounded, whole]) {
        await deliver(store, { id: `b${step}` }, rows);
        if (step % 3 === 0) await settleAll(store);
      }
    }
    for (const store of [bounded, whole]) await settleAll(store);
    const all = { withParts: true };
    const page = { limit: 1000, cursor: null };
    expect(await bounded.listIncidents(all, page)).toEqual(await whole.listIncidents(all, page));
  });
});
