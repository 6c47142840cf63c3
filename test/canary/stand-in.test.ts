import { expect, test } from "vitest";
import { startStandIn } from "../support/stand-in/server";

test("the stand-in answers as the reference says: statuses, bodies and streams", async () => {
  const standIn = await startStandIn({ apiKey: "k", nodes: ["a", "b"] });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${standIn.url}/v1${path}`, { ...init, headers: { "OPEN-SANDBOX-API-KEY": "k" } });
  const body = JSON.stringify({
    image: { uri: "x" },
    entrypoint: ["sleep"],
    timeout: 60,
    resourceLimits: { cpu: "1" },
  });
  const made = await call("/sandboxes", { method: "POST", body });
  const { id } = (await made.json()) as { id: string };
  const stream = await call(`/sandboxes/${id}/proxy/44772/command`, {
    method: "POST",
    body: '{"command":"echo hi; exit 3"}',
  });
  const lines = (await stream.text()).split("\n\n").filter(Boolean);
  const gone = [
    await call(`/sandboxes/${id}`, { method: "DELETE" }),
    await call(`/sandboxes/${id}`, { method: "DELETE" }),
  ];
  const short = await call("/sandboxes", { method: "POST", body: '{"timeout":5}' });
  await standIn.close();
  expect([made.status, short.status, ...gone.map((one) => one.status)]).toEqual([202, 422, 204, 404]);
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(["init", "stdout", "error"]);
  expect(JSON.parse(lines[2] as string).error).toMatchObject({ ename: "CommandExecError", evalue: "3" });
});

test("a wrong key is refused by the API and not by the proxy route", async () => {
  const standIn = await startStandIn({ apiKey: "k" });
  const api = await fetch(`${standIn.url}/sandboxes`);
  const proxy = await fetch(`${standIn.url}/sandboxes/none/proxy/44772/ping`);
  await standIn.close();
  expect([api.status, proxy.status]).toEqual([401, 404]);
});
