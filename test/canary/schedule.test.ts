import { expect, test } from "vitest";
import { Schedules } from "@/server/canary/schedule";
import { targetAt } from "./fleet";

const HOUR_MS = 3_600_000;
const hooks = { submit: async () => "c-new", isOver: () => true };
const hourly = targetAt("http://h", { schedules: [{ plan: "smoke", every: "1h" }] });

/** Ms from now until it is due. */
function dueMs(known: Parameters<Schedules["start"]>[0]): number {
  const schedules = new Schedules([hourly], hooks);
  schedules.start(known);
  const [answer] = schedules.answers();
  schedules.stop();
  return Date.parse(answer?.nextAt ?? "") - Date.now();
}

test("a schedule begins somewhere within the first tenth of its interval, not always at the same moment", () => {
  const dues = Array.from({ length: 30 }, () => dueMs([]));
  expect(Math.min(...dues)).toBeGreaterThanOrEqual(-10);
  expect(Math.max(...dues)).toBeLessThanOrEqual(HOUR_MS / 10);
  expect(new Set(dues).size).toBeGreaterThan(10);
});

test("after a restart it goes on an interval after its last run, and knows that run", () => {
  const createdAt = new Date(Date.now() - HOUR_MS / 4).toISOString();
  const run = { id: "c-old", target: "here", plan: "smoke" as const, by: "schedule every 1h", createdAt };
  const due = dueMs([run]);
  expect(due).toBeGreaterThan(0.74 * HOUR_MS);
  expect(due).toBeLessThan(0.86 * HOUR_MS);
  expect(dueMs([{ ...run, by: "request of local" }])).toBeLessThan(HOUR_MS / 10 + 10);
});
