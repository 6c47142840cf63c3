import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "@/server/domain/answers";
import { CoalmineError } from "@/server/domain/errors";
import { serve } from "@/server/http/handle";
import { readSettings } from "@/server/settings";
import { openServices } from "@/server/wire";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "coalmine-start-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function asked(open: Parameters<typeof serve>[1]): Promise<Problem> {
  const answer = await serve(new Request("http://127.0.0.1:4180/api/v1/runs"), open);
  const problem = (await answer.json()) as Problem;
  expect(answer.status).toBe(problem.status);
  return problem;
}

describe("a server that did not come up", () => {
  it("says that another one has its store, without the store's path", async () => {
    const open = () => openServices({ settings: readSettings({ COALMINE_DATA: dataDir }), inline: true });
    const first = await open();
    const problem = await asked(open);
    await first.close();
    expect(problem).toMatchObject({ code: "unavailable", detail: expect.stringContaining("Another process") });
    expect(problem.detail).not.toContain(dataDir);
  });

  it("says that the disk is full with that code", async () => {
    const full = () => Promise.reject(new CoalmineError("storage_full", "The disk is full."));
    expect(await asked(full)).toMatchObject({ code: "storage_full", status: 507 });
  });

  it("keeps to its log what it did not expect", async () => {
    const problem = await asked(() => Promise.reject(new Error("secret-path is odd")));
    expect(problem).toMatchObject({ code: "unavailable", detail: expect.stringContaining("log says why") });
    expect(problem.detail).not.toContain("secret-path");
  });
});
