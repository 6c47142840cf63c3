import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import type { Store } from "@/server/domain/store";
import { type Memo, memoOf } from "@/server/queries/memo";
import { deliver, madeRollout } from "../store/made-rows";

let store: Store;
let computed: number;
beforeEach(async () => {
  store = await openSqliteStore({ dataDir: ":memory:" });
  computed = 0;
});

/** A question that takes `ms`, and answers with how often it was computed. */
function asked(ms: number) {
  return async () => {
    computed += 1;
    const answer = computed;
    await sleep(ms);
    return answer;
  };
}

let deliveries = 0;
async function change() {
  deliveries += 1;
  await deliver(store, { id: `b${deliveries}` }, { rollouts: [madeRollout({ id: `x${deliveries}` })] });
}

describe("a kept answer", () => {
  it("is computed once while the data stand, also when asked for twice at a time", async () => {
    const memo = await memoOf(store);
    expect(await Promise.all([memo.once("a", asked(5)), memo.once("a", asked(5))])).toEqual([1, 1]);
    expect(await (await memoOf(store)).once("a", asked(5))).toBe(1);
    expect(await memo.once("b", asked(5))).toBe(2);
  });

  it("is computed again when the data changed", async () => {
    expect(await (await memoOf(store)).once("a", asked(1))).toBe(1);
    await change();
    expect(await (await memoOf(store)).once("a", asked(1))).toBe(2);
  });

  it("is not kept when it failed", async () => {
    const memo = await memoOf(store);
    await expect(memo.once("a", () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
    expect(await memo.once("a", asked(1))).toBe(1);
  });

  it("may be the one before, where it is costly and that is allowed, while the new one is computed once", async () => {
    const old = () => memoOf(store, { mayBeOld: true });
    expect(await (await old()).once("a", asked(250))).toBe(1);
    await change();
    expect(await (await old()).once("a", asked(250))).toBe(1);
    expect(await (await old()).once("a", asked(250))).toBe(1);
    expect(computed).toBe(2);
    expect(await (await memoOf(store)).once("b", async () => "strict")).toBe("strict");
    await sleep(300);
    expect(await (await old()).once("a", asked(250))).toBe(2);
  });

  it("is fresh where it is cheap, even if it might be old", async () => {
    const old = () => memoOf(store, { mayBeOld: true });
    await (await old()).once("a", asked(1));
    await change();
    expect(await (await old()).once("a", asked(1))).toBe(2);
  });

  it("is never made new of old parts", async () => {
    const part = (memo: Memo) => memo.once("part", asked(250));
    const old = () => memoOf(store, { mayBeOld: true });
    await part(await old());
    await change();
    expect(await (await old()).once("whole", (strict) => part(strict))).toBe(2);
  });

  it("about one run stands while another changes", async () => {
    await deliver(store, { id: "of-r1" }, { rollouts: [madeRollout({ id: "of-r1", run: "r1" })] });
    const ofRun = async (run: string) => (await memoOf(store)).ofRuns([run]);
    expect(await (await ofRun("r1")).once("c", asked(1))).toBe(1);
    await deliver(store, { id: "of-r2" }, { rollouts: [madeRollout({ id: "of-r2", run: "r2" })] });
    expect(await (await ofRun("r1")).once("c", asked(1))).toBe(1);
    await deliver(store, { id: "r1-again" }, { rollouts: [madeRollout({ id: "r1-again", run: "r1" })] });
    expect(await (await ofRun("r1")).once("c", asked(1))).toBe(2);
  });
});
