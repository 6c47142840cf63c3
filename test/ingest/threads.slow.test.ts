import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Delivery } from "@/server/domain/delivery";
import { readSettings } from "@/server/settings";
import { openServices, type Services, VERSION } from "@/server/wire";
import { buildBundles } from "../../deploy/build.mjs";
import packageJson from "../../package.json";
import { zipOf } from "../support/archives";
import { chunksOf, openMemory, PARAMS, picture, send } from "../support/deliveries";
import { fleetLines } from "../support/fleet-lines";
import { JOB } from "./bundles/job";

/** Inside the product, so that the bundles find the packages that stay outside of them. */
const dist = join(process.cwd(), "dist", `test-threads-${process.pid}`);
const opened: Services[] = [];

beforeAll(async () => {
  mkdirSync(dist, { recursive: true });
  await buildBundles(dist);
}, 60_000);

afterEach(async () => {
  for (const services of opened.splice(0)) await services.close();
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

async function open(options: { inline?: boolean; dataDir?: string } = {}): Promise<Services> {
  const dataDir = options.dataDir ?? mkdtempSync(join(dist, "data-"));
  const settings = readSettings({ COALMINE_DATA: dataDir });
  const services = await openServices({ settings, inline: options.inline, distDir: dist });
  opened.push(services);
  return services;
}

function delivery(body: AsyncIterable<Uint8Array>, source = "test", signal = new AbortController().signal): Delivery {
  return { params: { ...PARAMS, source }, name: null, encoding: "identity", body, signal };
}

/** A promise and the function that resolves it. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const FLEET = fleetLines(600).join("");
const MIB = 1024 * 1024;

describe("the threads", () => {
  test("write and read the same as one process without them", async () => {
    const memory = await openMemory();
    await send(memory, FLEET);
    for (const inline of [false, true]) {
      const services = await open({ inline });
      const result = await services.ingest(delivery(chunksOf(FLEET, 1000)));
      expect(result).toMatchObject({ duplicateBatch: false, records: 600 });
      expect(await picture(services.store)).toEqual(await picture(memory));
      expect((await services.ingest(delivery(chunksOf(FLEET)))).duplicateBatch).toBe(true);
      expect(await services.store.bytes()).toBeGreaterThan(0);
    }
  });

  test("carry errors with their code, and the store's own writes", async () => {
    const services = await open();
    const { batchId } = await services.ingest(delivery(chunksOf(FLEET)));
    const bad = { ...delivery(chunksOf("x")), params: { ...PARAMS, format: "nope" } };
    await expect(services.ingest(bad)).rejects.toMatchObject({ code: "invalid" });
    await expect(services.store.dropBatch("none")).rejects.toMatchObject({ code: "not_found" });
    await expect(services.store.append(batchId, {} as never, {} as never)).rejects.toThrow(/only a delivery/);
    await services.store.dropBatch(batchId);
    expect(await picture(services.store)).toEqual({ incidents: [], rollouts: [] });
    expect(await services.store.unsettledCount()).toBe(0);
    await services.store.putSetting("a", "1");
    expect(await services.store.setting("a")).toBe("1");
  });

  test("keep what they have over a restart", async () => {
    const dataDir = mkdtempSync(join(dist, "data-"));
    const first = await open({ dataDir });
    await first.ingest(delivery(chunksOf(FLEET)));
    const before = await picture(first.store);
    await first.close();
    opened.splice(0);
    const second = await open({ dataDir });
    expect(await picture(second.store)).toEqual(before);
  });

  test("read an archive in the data folder, and leave nothing of it there, nor what a killed process left", async () => {
    const dataDir = mkdtempSync(join(dist, "data-"));
    mkdirSync(join(dataDir, "spool", "bundle-old"), { recursive: true });
    const services = await open({ dataDir });
    expect(await services.ingest(delivery(chunksOf(zipOf(JOB), 1000)))).toMatchObject({
      rollouts: 3,
      format: "harbor",
    });
    expect(readdirSync(join(dataDir, "spool"))).toEqual([]);
  });

  test("hold a sender back until its bytes are read, and lose none of them", async () => {
    const services = await open();
    const held = gate();
    async function* waiting(i: number) {
      yield* chunksOf(fleetLines(20, i + 1).join(""));
      await held.opened;
    }
    // As many as are read at a time; the next one has to wait, and so has its sender.
    const busy = [0, 1, 2, 3].map((i) => services.ingest(delivery(waiting(i), `s-${i}`)));
    let sent = 0;
    async function* counted() {
      for await (const chunk of chunksOf(fleetLines(9000).join(""))) {
        sent += chunk.length;
        yield chunk;
      }
    }
    const last = services.ingest(delivery(counted(), "last"));
    await expect.poll(() => sent, { timeout: 20_000 }).toBeGreaterThan(MIB);
    // Both threads have had their turns by then.
    await services.store.putSetting("a", "1");
    expect(await services.store.setting("a")).toBe("1");

    expect(sent).toBeLessThan(1.25 * MIB);
    held.open();
    expect((await last).records).toBe(9000);
    expect((await Promise.all(busy)).map((result) => result.records)).toEqual([20, 20, 20, 20]);
  });

  test("tell senders past the bound to come again, and take them later", async () => {
    const services = await open();
    const held = gate();
    async function* waiting() {
      yield* chunksOf(fleetLines(1).join(""));
      await held.opened;
    }
    const all = Array.from({ length: 32 }, (_, i) => services.ingest(delivery(waiting(), `s-${i}`)));
    const refused = services.ingest(delivery(chunksOf(FLEET), "late"));
    await expect(refused).rejects.toMatchObject({ code: "busy", retryAfterS: expect.any(Number) });
    held.open();
    expect(await Promise.all(all)).toHaveLength(32);
    expect((await services.ingest(delivery(chunksOf(FLEET), "late"))).records).toBe(600);
  });

  test("keep nothing of a delivery whose sender went away or failed", async () => {
    const services = await open();
    const controller = new AbortController();
    async function* leaving() {
      yield* chunksOf(FLEET);
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield* chunksOf(FLEET);
    }
    await expect(services.ingest(delivery(leaving(), "a", controller.signal))).rejects.toMatchObject({
      code: "invalid",
    });
    async function* failing() {
      yield* chunksOf(FLEET);
      throw new Error("socket closed");
    }
    await expect(services.ingest(delivery(failing(), "b"))).rejects.toThrow("socket closed");
    expect((await services.store.batches({}, { limit: 10, cursor: null })).items).toEqual([]);
    expect(await picture(services.store)).toEqual({ incidents: [], rollouts: [] });
  });

  test("say what is missing when they were not built", async () => {
    const settings = readSettings({ COALMINE_DATA: mkdtempSync(join(dist, "data-")) });
    const work = openServices({ settings, distDir: join(dist, "nowhere") });
    await expect(work).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("ingest-worker.mjs"),
    });
  });

  test("leave nothing open when a folder cannot be used, so that the next try may go well", async () => {
    const dataDir = mkdtempSync(join(dist, "data-"));
    for (const name of ["uploads", "canaries"]) {
      const inTheWay = join(dataDir, name);
      writeFileSync(inTheWay, "");
      await expect(open({ dataDir })).rejects.toMatchObject({ code: "unavailable" });
      rmSync(inTheWay);
    }
    const services = await open({ dataDir });
    expect((await services.ingest(delivery(chunksOf(FLEET)))).records).toBe(600);
  });

  test("are of the version that the package says", () => {
    expect(VERSION).toBe(packageJson.version);
  });
});
