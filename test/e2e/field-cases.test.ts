import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { List, NodeAnswer, RolloutAnswer } from "@/server/domain/answers";
import { root } from "@/test/architecture/sources";
import { barriersInBothThemes, CHROMIUM, fits, open, PHONE, settled, visited } from "./browser";
import { reading } from "./reading";

const RUN = "field";
const folder = join(root, "test", "cases");
const files = readdirSync(folder).filter((name) => /^\d{3}-/.test(name));

describe.skipIf(CHROMIUM === null)("with all that the field has sent", () => {
  const held = reading();
  const ask = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${held.product.url}/api/v1${path}`)).json()) as T;

  beforeAll(async () => {
    for (const name of files) {
      const sent = await fetch(`${held.product.url}/api/v1/ingest/auto?run=${RUN}&source=${name}`, {
        method: "POST",
        body: readFileSync(join(folder, name)),
      });
      expect([name, sent.status]).toEqual([name, 200]);
    }
    const isSettled = async (): Promise<boolean> => (await ask<{ unsettled: number }>("/health")).unsettled === 0;
    await vi.waitUntil(isSettled, { timeout: 120_000, interval: 200 });
  });

  test.each(["run", "node", "failures", "rollout"])(
    "the %s page has no barrier in either theme, and fits each screen",
    (kind) =>
      visited(
        held.browser,
        async ({ page }) => {
          const [worst] = (await ask<List<NodeAnswer>>(`/nodes?run=${RUN}`)).items;
          const [lost] = (await ask<List<RolloutAnswer>>(`/runs/${RUN}/rollouts?verdict=infra_failed&limit=1`)).items;
          expect([worst?.node, lost?.id]).not.toContain(undefined);
          const paths: Record<string, string> = {
            run: `/runs/${RUN}`,
            node: `/nodes/${worst?.node}`,
            failures: "/failures",
            rollout: `/rollouts/${lost?.id}`,
          };
          await open(page, held.product.url + paths[kind]);
          await fits(page);
          await settled(page);
          expect(await barriersInBothThemes(page)).toEqual([]);
        },
        { width: PHONE.width },
      ),
  );
});
