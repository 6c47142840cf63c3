import { expect, test } from "vitest";
import { patienceOf } from "@/server/queries/patience";

test("an answer that is there is given, also to one without any patience", async () => {
  const answer = Promise.resolve(7);
  expect(await patienceOf(1000).wait(answer)).toBe(7);
  expect(await patienceOf(0).wait(answer)).toBe(7);
});

test("an answer that takes longer is null, and given to who asks once it is there", async () => {
  let resolve: (value: number) => void = () => undefined;
  const answer = new Promise<number>((done) => {
    resolve = done;
  });
  expect(await patienceOf(5).wait(answer)).toBeNull();
  const whole = patienceOf(Number.POSITIVE_INFINITY).wait(answer);
  resolve(3);
  expect(await whole).toBe(3);
  expect(await patienceOf(0).wait(answer)).toBe(3);
});

test("a failure is the question's own", async () => {
  const answer = Promise.reject(new Error("no"));
  await expect(patienceOf(1000).wait(answer)).rejects.toThrow("no");
});
