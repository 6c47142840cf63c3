import { expect, test } from "vitest";
import { CreateRate, Places } from "@/server/canary/bounds";

const never = new AbortController().signal;

test("creates that waited together go out one after the other", async () => {
  const rate = new CreateRate(1_000);
  rate.backOff(50);
  const began = performance.now();
  const went: number[] = [];
  await Promise.all(
    Array.from({ length: 10 }, () => rate.take(never).then(() => went.push(performance.now() - began))),
  );
  expect(went[0]).toBeGreaterThanOrEqual(49);
  expect((went[9] as number) - (went[0] as number)).toBeGreaterThanOrEqual(30);
});

test("a cancel ends every wait at once, and nothing is taken", async () => {
  const rate = new CreateRate(1);
  expect(await rate.take(never)).toBe(true);
  const cancel = new AbortController();
  const waiting = [rate.take(cancel.signal), rate.take(cancel.signal)];
  cancel.abort();
  expect(await Promise.all(waiting)).toEqual([false, false]);
});

test("places are given in the order of asking, and a waiter that leaves takes none", async () => {
  const places = new Places(1);
  await places.take(never);
  const leaving = new AbortController();
  const left = places.take(leaving.signal);
  const order: string[] = [];
  const next = ["a", "b"].map((name) => places.take(never).then(() => order.push(name)));
  leaving.abort();
  places.give();
  await next[0];
  places.give();
  await next[1];
  expect([await left, order]).toEqual([false, ["a", "b"]]);
});
