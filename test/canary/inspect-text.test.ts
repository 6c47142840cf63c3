import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInspect } from "@/server/canary/inspect-text";

const KILLED = `Pod Name:       0a94c6b2-0
Namespace:      opensandbox
Node:           gpu-07
Phase:          Running
Pod IP:         10.61.4.27
Host IP:        10.0.3.7

Containers:
  sandbox:
    Ready:          False
    Restart Count:  2
    State:          Running
    Last State:     Terminated (exit=137, reason=OOMKilled)

Resources:
  Requests: {'cpu': '100m', 'memory': '128Mi'}
  Limits: {'cpu': '500m', 'memory': '512Mi'}
`;

test("node, pod, restarts, last state, limits and requests are read from the fixed labels", () => {
  expect(parseInspect(KILLED)).toEqual({
    node: "gpu-07",
    pod: "0a94c6b2-0",
    namespace: "opensandbox",
    podIp: "10.61.4.27",
    hostIp: "10.0.3.7",
    phase: "Running",
    restarts: 2,
    lastState: "exit=137, reason=OOMKilled",
    limits: { cpu: "500m", memory: "512Mi" },
    requests: { cpu: "100m", memory: "128Mi" },
  });
});

test("resources may stand one a line below their label", () => {
  const text = "Resources:\n  Limits:\n    cpu: 500m\n    memory: 512Mi\n  Requests:\n    cpu: 100m\n";
  expect(parseInspect(text)).toMatchObject({ limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m" } });
});

test("a container of a Docker host names no node, and None is not a name", () => {
  expect(parseInspect("Container: 12ab\nOOMKilled: true\n").node).toBeNull();
  expect(parseInspect("Node:           None\nPod IP:         N/A\n")).toMatchObject({ node: null, podIp: null });
});

test("any text is read without throwing", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseInspect(text)));
});
