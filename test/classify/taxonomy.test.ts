import { describe, expect, test } from "vitest";
import { CLASSES, classInfo, isInfra } from "@/server/classify/taxonomy";
import { FAMILIES, OWNERS } from "@/server/domain/taxonomy-words";

const of = (family: string) => CLASSES.filter((info) => info.family === family).map((info) => info.id);

describe("the classes", () => {
  test("ids are unique, families and owners are words of the domain", () => {
    expect(new Set(CLASSES.map((info) => info.id)).size).toBe(CLASSES.length);
    for (const info of CLASSES) {
      expect(FAMILIES).toContain(info.family);
      expect(OWNERS).toContain(info.owner);
    }
  });

  test("families hold what the charts colour", () => {
    expect(of("oom")).toEqual(["pod.oom_killed", "pod.oom_process", "node.oom"]);
    expect(of("scheduling")).toEqual(["control.unschedulable", "control.rate_limited", "control.api_throttled"]);
    expect(of("node")).toEqual(["pod.evicted", "node.disk_full", "node.not_ready", "node.pressure", "node.shutdown"]);
    expect(of("startup")).toEqual([
      "control.create_timeout",
      "control.ready_check_failed",
      "pod.image_pull",
      "pod.start_failed",
      "pod.restarted",
      "pod.network_setup",
    ]);
    expect(of("disconnect").every((id) => id.startsWith("transport."))).toBe(true);
    expect(of("disconnect")).toHaveLength(10);
    expect(of("proxy").every((id) => /^(gateway|proxy)\./.test(id))).toBe(true);
    expect(of("proxy")).toHaveLength(13);
    expect(of("none")).toEqual([
      "verify.timeout",
      "model.endpoint",
      "model.judge",
      "agent.timeout",
      "agent.command_timeout",
      "agent.command_killed",
      "agent.command_failed",
      "agent.memory",
      "agent.network",
      "agent.limits",
      "task.failed",
      "app.response",
      "client.config",
    ]);
  });

  test("infra leaves out family none and the three that are counted apart", () => {
    expect(isInfra("transport.stale_keepalive")).toBe(true);
    expect(isInfra("cleanup.failed")).toBe(true);
    for (const id of ["unknown", "harness.bug", "harness.missing", "agent.command_killed", "client.config"]) {
      expect(isInfra(id), id).toBe(false);
    }
  });

  test("two equal stale_keepalive lines stay two, 37 steps on one dead container are one, one stream's leavers are one", () => {
    expect(classInfo("transport.stale_keepalive").fold.by).toBe("operation");
    expect(classInfo("control.sandbox_gone").fold).toEqual({ by: "subject", gapMs: Number.POSITIVE_INFINITY });
    expect(classInfo("transport.client_left").fold).toEqual({ by: "stream", gapMs: 60_000 });
  });

  test("an id of a newer taxonomy reads as unknown under its own id", () => {
    expect(classInfo("pod.frozen")).toMatchObject({ id: "pod.frozen", family: "other", infra: false });
    expect(isInfra("pod.frozen")).toBe(false);
  });
});
