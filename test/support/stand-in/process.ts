/** Starts a stand-in in a process of its own, so that its work is not in the way of what is measured. */
import { type ChildProcess, fork } from "node:child_process";
import { bundle } from "../bundle";
import type { Faults } from "./faults";
import type { StandInOptions } from "./server";

export interface StandInProcess {
  url: string;
  set(faults: Partial<Faults>): void;
  count(): Promise<{ sandboxes: number; created: number }>;
  stop(): Promise<void>;
}

export async function startStandInProcess(options: StandInOptions = {}): Promise<StandInProcess> {
  const child = fork(await bundle("test/support/stand-in/main.ts"), [JSON.stringify(options)], { execArgv: [] });
  const { url } = await told<{ url: string }>(child);
  return {
    url,
    set: (faults) => void child.send({ faults }),
    count: () => {
      const answer = told<{ sandboxes: number; created: number }>(child);
      child.send({ count: true });
      return answer;
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function told<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the stand-in ended with ${code}`)));
  });
}
