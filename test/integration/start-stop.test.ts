import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { freePort, startProduct } from "@/test/support/server";

/** Runs the start script to its end, for settings with which it must not start. */
async function startWith(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["deploy/start.mjs"], {
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  await once(child, "close");
  return { code: child.exitCode, output };
}

describe("starting and stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s stops it cleanly", async (signal) => {
    const product = await startProduct();
    process.kill(product.pid, signal);
    expect(await product.ended()).toBe(0);
    expect(product.output()).toContain("Coalmine stopped.");
    await product.remove();
  });

  test("it stops when npm is told to, which does not pass that on", async () => {
    const product = await startProduct({ by: ["npm", "run", "start"] });
    process.kill(product.pid, "SIGTERM");
    await product.ended();
    const answers = () =>
      fetch(product.url).then(
        () => true,
        () => false,
      );
    await expect.poll(answers, { timeout: 20_000 }).toBe(false);
    await product.remove();
  });

  test("a busy port is said with the setting's name", async () => {
    const other = createServer();
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, output } = await startWith({ COALMINE_PORT: String(port) });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} on 127.0.0.1 is in use. Set COALMINE_PORT`);
    other.close();
  });

  test("a second one on the same data says so, and ends", async () => {
    const product = await startProduct();
    const { code, output } = await startWith({
      COALMINE_PORT: String(await freePort()),
      COALMINE_DATA: product.dataDir,
    });
    expect(code).toBe(1);
    expect(output.trimEnd()).toMatch(
      /\nThe server did not come up\. Another process has the store of this COALMINE_DATA open for writing\.$/,
    );
    await product.remove();
  });

  test.each([
    [{ COALMINE_PORT: "http" }, "COALMINE_PORT"],
    [{ COALMINE_HOST: "0.0.0.0" }, "COALMINE_TOKENS"],
    [{ COALMINE_TOKENS: "no-colons" }, "COALMINE_TOKENS"],
    [{ COALMINE_PROT: "4180" }, "COALMINE_PROT"],
  ])("%o stops the start, naming the setting", async (env, name) => {
    const { code, output } = await startWith({ COALMINE_PORT: String(await freePort()), ...env });
    expect([code, output]).toEqual([1, expect.stringContaining(name)]);
  });
});
