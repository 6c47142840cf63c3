import { beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import type { Observation } from "@/server/domain/facts";
import type { Store } from "@/server/domain/store";
import { execSweep } from "@/server/queries/exec-sweep";
import { deliver, madeObservation, madeSighting, T0 } from "../store/made-rows";

const RUN = "terminal-bench-run-2";

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ dataDir: ":memory:" });
});

/** One error event of a pod's exec daemon. */
function event(i: number, label: string, given: Partial<Observation> = {}): Observation {
  return madeObservation({
    key: `event-${i}`,
    run: RUN,
    label,
    class: "agent.command_failed",
    evidence: { layer: "execd", kind: "exec_event", message: label },
    ...given,
  });
}

function pods(n: number) {
  return Array.from({ length: n }, (_, i) => madeSighting({ ref: `pod:default/p${i}`, run: RUN }));
}

describe("a sweep over exec daemons", () => {
  it("says that all events are the agent's own exit codes, and each fault as 0 of so many pods", async () => {
    const observations = Array.from({ length: 101 }, (_, i) => event(i, "CommandExecError: 1"));
    await deliver(store, { id: "b1" }, { observations, sightings: pods(92) });
    const sweep = await execSweep(store, { run: RUN });
    expect(sweep.sentence).toBe("101 events, all the agent's own exit codes, 0 faults in 92 pods");
    expect(sweep).toMatchObject({ run: RUN, podsRead: 92, linesRead: 920, eventsTotal: 101 });
    expect(sweep.events).toEqual([{ label: "CommandExecError: 1", n: 101, ownExitCode: true }]);
    expect(sweep.faults).toEqual(["spawn", "timeout", "oom", "disconnect"].map((kind) => ({ kind, n: 0 })));
  });

  it("counts a delivery sent twice once", async () => {
    const observations = [event(1, "CommandExecError: 1")];
    await deliver(store, { id: "b1" }, { observations, sightings: pods(1) });
    await deliver(store, { id: "b2" }, { observations, sightings: [] });
    expect((await execSweep(store, { run: RUN })).sentence).toBe(
      "1 event, the agent's own exit code, 0 faults in 1 pod",
    );
  });

  it("tells faults of the exec layer from exit codes, and from what other layers say of them", async () => {
    const observations = [
      event(1, "CommandExecError: 1"),
      event(2, "OSError: fork failed", { class: "exec.spawn_failed" }),
      event(3, "", { label: null, class: "transport.client_left", evidence: { layer: "execd", kind: "error" } }),
      event(4, "", { label: null, class: "transport.connection_reset", evidence: { layer: "harness", kind: "error" } }),
    ];
    await deliver(store, { id: "b1" }, { observations, sightings: pods(2) });
    const sweep = await execSweep(store, { run: RUN });
    expect(sweep.sentence).toBe("2 events, 1 of them the agent's own exit codes, 2 faults in 2 pods");
    expect(sweep.faults.filter((fault) => fault.n > 0)).toEqual([
      { kind: "spawn", n: 1 },
      { kind: "disconnect", n: 1 },
    ]);
  });

  it("reads a window, and says when nothing was read", async () => {
    await deliver(store, { id: "b1" }, { observations: [event(1, "CommandExecError: 1")], sightings: pods(1) });
    expect((await execSweep(store, { from: T0, to: T0 + 1 })).eventsTotal).toBe(1);
    expect((await execSweep(store, { to: T0 - 1 })).sentence).toBe("No exec daemon's lines have been read.");
    await expect(execSweep(store, { run: "nobody" })).rejects.toThrow(/no run/);
  });
});
