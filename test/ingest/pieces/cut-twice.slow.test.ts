import { expect, test } from "vitest";
import { BODIES, seen } from "./cut-deliveries";

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

for (const [name, lines] of Object.entries(BODIES)) {
  test(`${name}: two cuts, near each other, in any order, change nothing`, { timeout: 60_000 }, async () => {
    const whole = await seen([lines]);
    let n = 0;
    for (let at = 1; at < lines.length - 1; at++)
      for (const to of [at + 1, at + 2, at + 5].filter((cut) => cut < lines.length)) {
        const parts = [lines.slice(0, at), lines.slice(at, to), lines.slice(to)];
        const order = ORDERS[n++ % ORDERS.length] as number[];
        const sent = order.map((i) => parts[i] as string[]);
        expect((await seen(sent)).seen, `cut before lines ${at + 1} and ${to + 1}, sent as ${order}`).toEqual(
          whole.seen,
        );
      }
  });
}
