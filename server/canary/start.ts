/** The canaries of a server process: its configuration, its ingest, its log. */
import type { Delivery } from "@/server/domain/delivery";
import { startCanaries } from "./client";
import type { CanaryService } from "./service";

export interface StartOptions {
  /** Absolute path of the thread's bundle. */
  script: string;
  dataDir: string;
  configPath: string | null;
  ingest(delivery: Delivery): Promise<unknown>;
  log: { info(about: object, text: string): void; error(about: object, text: string): void };
}

/** Throws `invalid` when the configuration is wrong, which stops the start. */
export function canariesFor({ script, dataDir, configPath, ingest, log }: StartOptions): Promise<CanaryService> {
  return startCanaries({
    script,
    dataDir,
    configPath,
    deliver: (body, { target, cluster, run }) =>
      ingest({
        params: {
          format: "canary",
          run: null,
          source: `canary/${target}`,
          node: null,
          cluster,
          tz: null,
          origin: "canary",
        },
        name: run,
        encoding: null,
        body: once(body),
        signal: new AbortController().signal,
      }),
    onSwept: (target, { deleted, stuck, others }) => {
      if (deleted.length > 0) log.info({ target, deleted }, "deleted sandboxes that a dead engine had left");
      if (stuck.length > 0) log.error({ target, stuck }, "sandboxes outlive their delete");
      if (others > 0) log.info({ target, others }, "canary sandboxes of others are there");
    },
    onTrouble: (what, error) => log.error({ err: error, what }, "canaries are in trouble"),
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
