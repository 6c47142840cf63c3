import { expect, test } from "vitest";
import { deriveIncidents } from "@/server/derive/incidents";
import type { Evidence } from "@/server/domain/evidence";
import type { Observation } from "@/server/domain/facts";
import { caseFile, observed, rolloutRecord, said, settings, withRollouts } from "./observed";

const message = "An internal error occurred in the proxy: ";
const ofRecord: Evidence = { layer: "record", kind: "error", phase: "exec", status: 500, message };
const ofClient: Evidence = { layer: "harness", kind: "error", phase: "exec", status: 500, message };
const ofServer: Evidence = {
  layer: "server",
  kind: "access",
  status: 500,
  method: "POST",
  path: "/v1/sandboxes/s1/proxy/44772/command",
};
const inRecord = { refs: ["rollout:default/r1", "sandbox:default/s1"] };

const brief = (observations: Observation[]) =>
  deriveIncidents(withRollouts(caseFile(observations), [rolloutRecord({ error: "HTTP 500" })]), settings)
    .map(({ incident }) => [incident.class, incident.outcome, incident.evidence])
    .sort();

test("what the server logged and the rollout's record says is one incident, as fatal as the record", () => {
  expect(brief([observed(ofServer, 0), observed(ofRecord, 400, inRecord)])).toEqual([
    ["proxy.internal_5xx", "fatal", 2],
  ]);
});

test("the client's line and the server's line about one answer are one incident", () => {
  expect(brief([observed(ofServer, 0), observed(ofClient, 0.3)])).toHaveLength(1);
});

test("a client's line a minute later is another operation", () => {
  expect(brief([observed(ofServer, 0), observed(ofClient, 60)])).toHaveLength(2);
});

test("a record takes in the server's last telling alone: what went before is its own incident", () => {
  const incidents = brief([observed(ofServer, 0), observed(ofServer, 100), observed(ofRecord, 400, inRecord)]);
  expect(incidents.map((row) => [row[1], row[2]])).toEqual([
    ["fatal", 2],
    ["unknown", 1],
  ]);
});

test("what a command came through after did not end the rollout", () => {
  const incidents = brief([observed(ofServer, 0), observed(said.execOk, 5), observed(ofRecord, 400, inRecord)]);
  expect(incidents.map((row) => [row[1], row[2]])).toEqual([
    ["absorbed", 1],
    ["fatal", 1],
  ]);
});

test("a bare 502 in a record is told in full by the server's own line, before or after the record's time", () => {
  const bare: Evidence = { layer: "record", kind: "error", message: "Failed to run command. Status code: 502" };
  const access = { ...ofServer, status: 502 };
  for (const second of [398, 402]) {
    expect(brief([observed(access, second), observed(bare, 400, inRecord)])).toEqual([
      ["proxy.backend_502", "fatal", 2],
    ]);
  }
  const apart = brief([observed(access, 100), observed(bare, 400, inRecord)]);
  expect(apart.map((row) => row[0])).toEqual(["gateway.bad_gateway", "proxy.backend_502"]);
});

test("the exec daemon's event and its own line about one command are one incident of one try, two commands are two", () => {
  const event: Evidence = {
    layer: "execd",
    kind: "exec_event",
    phase: "exec",
    message: "CommandExecError: 137",
    exitCode: 137,
  };
  const log: Evidence = {
    ...{ layer: "execd", kind: "exec_log", phase: "exec", level: "error", exitCode: 137 },
    message: "CommandExecError: error running commands: exit status 137",
  };
  const lines = [observed(event, 0), observed(log, 0.001), observed(event, 0.2), observed(log, 0.201)];
  const told = deriveIncidents(caseFile(lines), settings).map(({ incident }) => incident);
  expect(told.map((one) => [one.class, one.evidence, one.attempts])).toEqual([
    ["agent.command_killed", 2, 1],
    ["agent.command_killed", 2, 1],
  ]);
});
