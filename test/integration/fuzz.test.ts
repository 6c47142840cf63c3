import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Health } from "@/server/domain/product-answers";
import { encodeLoki } from "@/server/http/vendor/loki-proto";
import { encodeOtlp } from "@/server/http/vendor/otlp-proto";
import { type Product, startProduct } from "@/test/support/server";
import { corpus } from "../ingest/fuzz/corpus";
import { Dice, mutated } from "../ingest/fuzz/mutate";
import { ask } from "./deliver";

/** Broken bodies in all; `COALMINE_FUZZ=10000` for a long run. */
const BODIES = Number(process.env.COALMINE_FUZZ ?? 300);
const AT_A_TIME = 8;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.remove());

const LINE = '{"level":"error","ts":"2026-10-06T12:00:00.000Z","msg":"CommandExecError: fork/exec /bin/sh: not found"}';
const value = (text: string) => ({ stringValue: text });
const OTLP = Buffer.from(
  encodeOtlp({
    resourceLogs: [
      {
        resource: { attributes: [{ key: "k8s.pod.name", value: value("p-0") }] },
        scopeLogs: [{ logRecords: [{ timeUnixNano: "1791288000000000000", body: value(LINE) }] }],
      },
    ],
  }),
);
const LOKI = Buffer.from(
  encodeLoki([
    { labels: '{pod="p-0", container="sandbox"}', entries: [{ seconds: 1_791_288_000, nanos: 0, line: LINE }] },
  ]),
);

interface Call {
  path: string;
  type: string;
  body: Buffer;
  encoding?: string;
}

function callOf(dice: Dice): Call {
  const seed = dice.of(dice.of(corpora).bodies);
  const text = mutated(seed, dice);
  const calls: (() => Call)[] = [
    () => ({ path: "/api/v1/ingest/auto", type: "text/plain", body: text }),
    () => ({ path: `/api/v1/ingest/${dice.of(corpora).name.replace(" ", "-")}`, type: "text/plain", body: text }),
    () => ({ path: "/api/v1/ingest/auto", type: "text/plain", body: mutated(gzipSync(seed), dice), encoding: "gzip" }),
    () => ({ path: "/otlp/v1/logs", type: "application/x-protobuf", body: mutated(OTLP, dice) }),
    () => ({ path: "/otlp/v1/logs", type: "application/json", body: text }),
    () => ({ path: "/loki/api/v1/push", type: "application/x-protobuf", body: mutated(LOKI, dice) }),
    () => ({ path: "/loki/api/v1/push", type: "application/json", body: text }),
    () => ({ path: "/api/v1/rules/check", type: dice.of(["application/json", "application/yaml"]), body: text }),
  ];
  return dice.of(calls)();
}
const corpora = corpus();

async function statusOf({ path, type, body, encoding }: Call): Promise<number> {
  const headers = { "content-type": type, ...(encoding ? { "content-encoding": encoding } : {}) };
  const answer = await fetch(`${product.url}${path}`, { method: "POST", headers, body: new Uint8Array(body) });
  await answer.arrayBuffer();
  return answer.status;
}

test(
  `${BODIES} broken bodies at all doors are answered, none of them by a fault of the server`,
  async () => {
    const dice = new Dice(20_261_201);
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < BODIES; sent += AT_A_TIME) {
      const calls = Array.from({ length: AT_A_TIME }, () => callOf(dice));
      const answered = await Promise.all(calls.map(statusOf));
      for (const [i, status] of answered.entries()) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status, JSON.stringify([calls[i]?.path, calls[i]?.body.toString("base64").slice(0, 400)])).toBeLessThan(
          500,
        );
      }
    }
    expect(statuses.get(200)).toBeGreaterThan(0);
    expect(statuses.get(400)).toBeGreaterThan(0);
    expect((await ask<Health>(`${product.url}/api/v1/health`)).body.ok).toBe(true);
  },
  60_000 + BODIES * 100,
);
