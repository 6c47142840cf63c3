/**
 * What measuring costs: the same request on one kept socket by the probe and by undici alone, in turns, against a server in
 * a process of its own. The bar is 1 ms for each of a probe's phases; the difference holds all of them.
 */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { percentilesOf } from "@/server/canary/percentiles";
import { PHASE_NAMES } from "@/server/canary/probe";
import { PROFILES } from "@/server/canary/profile";
import { Transport } from "@/server/canary/transport";

const ROUNDS = 3_000;
const WARM = 500;
const BAR_MS = 1;
const REQUEST = { operation: "health", method: "GET", path: "/health", deadlineMs: 5_000 } as const;

function serveAsChild(): void {
  const server = createServer((_, answer) => answer.end('{"status":"healthy"}'));
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}

async function compare(port: number): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const probe = new Transport(origin, { ...PROFILES.bounded, connections: 1 });
  const pool = new Pool(origin, { connections: 1, pipelining: 1 });
  const times = { plain: [] as number[], probe: [] as number[] };
  const measured: number[] = [];
  for (let i = 0; i < ROUNDS + WARM; i++) {
    const plain = await timed(async () => {
      const answer = await pool.request({ method: REQUEST.method, path: REQUEST.path });
      await answer.body.text();
    });
    const probed = await timed(async () => {
      const { record } = await probe.send(REQUEST);
      if (i >= WARM) measured.push(PHASE_NAMES.reduce((sum, name) => sum + (record.phases[name] ?? 0), 0));
    });
    if (i < WARM) continue;
    times.plain.push(plain);
    times.probe.push(probed);
  }
  await probe.close();
  await pool.destroy();
  const [plain, probed, phases] = [times.plain, times.probe, measured].map(percentilesOf);
  console.log(`undici alone  p50 ${plain?.p50} ms, p99 ${plain?.p99} ms`);
  console.log(`probe         p50 ${probed?.p50} ms, p99 ${probed?.p99} ms (${ROUNDS} each, in turns)`);
  console.log(`its phases    p50 ${phases?.p50} ms, p99 ${phases?.p99} ms together`);
  const cost = (probed?.p50 ?? 0) - (plain?.p50 ?? 0);
  console.log(
    `cost          ${cost.toFixed(3)} ms a probe over all phases, bar ${BAR_MS} ms a phase: ${cost <= BAR_MS ? "ok" : "FAIL"}`,
  );
  process.exitCode = cost <= BAR_MS ? 0 : 1;
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

if (process.send) serveAsChild();
else {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] });
  const port = await new Promise<number>((resolve) => child.once("message", (message) => resolve(Number(message))));
  await compare(port);
  child.disconnect();
}
