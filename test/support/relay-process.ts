/** Starts a relay in a process of its own, so that its work does not delay the client that is measured. */
import { fork } from "node:child_process";
import { bundle } from "./bundle";
import type { Relay, RelayOptions } from "./relay";

export async function startRelayProcess(options: RelayOptions): Promise<Relay> {
  const child = fork(await bundle("test/support/relay-main.ts"), [JSON.stringify(options)], { execArgv: [] });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { port: number }));
    child.once("exit", (code) => reject(new Error(`the relay ended with ${code}`)));
  });
  return {
    port,
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}
