import { describe, expect, test } from "vitest";
import type { FlatConfig } from "@/server/domain/rollout";
import { commandRetries } from "@/server/findings/command-retries";
import { createRace } from "@/server/findings/create-race";
import { createTimeout } from "@/server/findings/create-timeout";
import { effectiveNotRequested } from "@/server/findings/effective-not-requested";
import type { Check, Finding } from "@/server/findings/finding";
import { keepaliveMismatch } from "@/server/findings/keepalive-mismatch";
import { numberIn, readings, type SettingId } from "@/server/findings/known-settings";
import { memoryLimit } from "@/server/findings/memory-limit";
import { requestsEqualLimits } from "@/server/findings/requests-equal-limits";
import { runAttribution } from "@/server/findings/run-attribution";
import { serverPoolExhausted } from "@/server/findings/server-pool-exhausted";
import { configOf, quietRun, runWith } from "./quiet-run";

function lines(finding: Finding | null): string[] {
  return finding?.change?.lines.map((line) => `${line.op} ${line.text}`) ?? [];
}

describe("settings that hurt are found before they cost a rollout", () => {
  test.each<[string, Check, FlatConfig, string[]]>([
    [
      "a client that keeps sockets 30 s",
      keepaliveMismatch,
      { "connection.keepalive_expiry_s": 30 },
      ["- connection.keepalive_expiry_s: 30", "+ connection.keepalive_expiry_s: 3"],
    ],
    [
      "a client left to its library's default",
      keepaliveMismatch,
      { "sandbox.opensandbox.connection.keepalive_expiry": null },
      [
        "- sandbox.opensandbox.connection.keepalive_expiry: null",
        "+ sandbox.opensandbox.connection.keepalive_expiry: 3",
      ],
    ],
    [
      "a client of which nobody said it",
      keepaliveMismatch,
      { "connection.protocol": "http" },
      ["+ connection.keepalive_expiry_s: 3"],
    ],
    [
      "a server that closes after 2 s",
      keepaliveMismatch,
      { keepalive_expiry_ms: 3000, "server.timeout_keep_alive": 2 },
      ["- keepalive_expiry_ms: 3000", "+ keepalive_expiry_ms: 1200"],
    ],
    [
      "a create without a health check",
      createRace,
      { "create.skip_health_check": "true" },
      ['- create.skip_health_check: "true"', "+ create.skip_health_check: false"],
    ],
    [
      "commands sent again",
      commandRetries,
      { "operations.command_retries": 2 },
      ["- operations.command_retries: 2", "+ operations.command_retries: 0"],
    ],
    [
      "a create given up too early",
      createTimeout,
      { "create.timeout_s": 60, "create.ready_timeout_s": 120 },
      ["- create.timeout_s: 60", "+ create.timeout_s: 180"],
    ],
    [
      "requests that are the limits",
      requestsEqualLimits,
      { "resources.memory_mib": 2048, "resource_requests.memory_mib": 2048 },
      ["- resources.memory_mib: 2048", "+ resources.memory_mib: 8192", "+ resource_requests.memory_mib: 2048"],
    ],
    [
      "one map for requests and limits",
      requestsEqualLimits,
      { "limits.memory": "8Gi" },
      ["+ resource_requests.memory_mib: 2048"],
    ],
    [
      "a limit far above what the task specifies",
      memoryLimit,
      { "resources.memory": "8Gi", "task.memory_mb": 2048 },
      ["- resources.memory: 8Gi", "+ resources.memory: 6Gi"],
    ],
    [
      "more rollouts at once than the server has connections",
      serverPoolExhausted,
      { concurrency: 300, "connection.use_server_proxy": true },
      ["- concurrency: 300", "+ concurrency: 90"],
    ],
    [
      "workers that each make a run label",
      runAttribution,
      { "attribution.enabled": true },
      ["+ attribution.run: night"],
    ],
    [
      "pods without a run label",
      runAttribution,
      { "attribution.enabled": false },
      ["- attribution.enabled: false", "+ attribution.enabled: true", "+ attribution.run: night"],
    ],
  ])("%s", (_, check, config, change) => {
    const finding = check(runWith(config));
    expect(finding).toMatchObject({ run: "night", severity: "minor", rolloutsAffected: 0, winBack: null });
    expect(lines(finding)).toEqual(change);
  });

  test("Kubernetes that sets less than was asked for", () => {
    const finding = effectiveNotRequested(
      quietRun({ config: configOf({ "resources.memory_mib": 8192 }, { memoryLimit: 2 ** 31 }) }),
    );
    expect(finding).toMatchObject({ severity: "major", canaryPlan: { options: { limits: { memory: "8Gi" } } } });
    expect(finding?.text).toContain("resources.memory_mib 8192 became 2Gi");
  });

  test("a measured idle timeout beats what anybody says", () => {
    const run = runWith({ keepalive_expiry_s: 10, "server.timeout_keep_alive": 30 }, { measuredIdleS: 8 });
    expect(keepaliveMismatch(run)).toMatchObject({
      canaryPlan: { plan: "idle-gap", options: { transport: { keepaliveExpiryS: 4.8 } } },
    });
  });

  test("of several values in a run the worst one counts", () => {
    const varying = {
      "connection.keepalive_expiry_s": [
        { value: 3, n: 300 },
        { value: 30, n: 16 },
      ],
    };
    const config = { ...configOf({}), varying };
    expect(lines(keepaliveMismatch(quietRun({ config })))[0]).toBe("- connection.keepalive_expiry_s: 30");
  });
});

describe("settings that do no harm raise nothing", () => {
  test.each<[string, Check, FlatConfig]>([
    ["sockets kept shorter than any server waits", keepaliveMismatch, { "connection.keepalive_expiry_s": 3 }],
    [
      "sockets kept shorter than this server waits",
      keepaliveMismatch,
      { keepalive_expiry_s: 10, timeout_keep_alive: 30 },
    ],
    ["a config that says nothing of connections", keepaliveMismatch, { "resources.cpu": 2 }],
    ["a health-checked create", createRace, { "create.skip_health_check": false }],
    ["commands sent once", commandRetries, { "operations.command_retries": 0 }],
    [
      "a create with time for the ready wait",
      createTimeout,
      { "create.timeout_s": 180, "create.ready_timeout_s": 120 },
    ],
    ["a create without a ready timeout", createTimeout, { "create.timeout_s": 60 }],
    ["requests below limits", requestsEqualLimits, { "resources.memory_mib": 8192, "resource_requests.memory": "2Gi" }],
    ["no word of memory", requestsEqualLimits, { "resources.cpu": 2 }],
    ["a limit within three times the task's", memoryLimit, { "resources.memory": "6Gi", "task.memory_mb": 2048 }],
    [
      "as many rollouts as the server bears",
      serverPoolExhausted,
      { concurrency: 64, "connection.use_server_proxy": true },
    ],
    [
      "sandboxes reached without the server",
      serverPoolExhausted,
      { concurrency: 300, "connection.use_server_proxy": false },
    ],
    ["a run label of its own", runAttribution, { "attribution.enabled": true, "attribution.run": "night" }],
    ["no word of attribution", runAttribution, {}],
  ])("%s", (_, check, config) => {
    expect(check(runWith(config))).toBeNull();
  });

  test("requests that vary, or that only Kubernetes knows", () => {
    const varying = {
      "resource_requests.memory_mib": [
        { value: 1024, n: 1 },
        { value: 2048, n: 2 },
      ],
    };
    const config = configOf({ "resources.memory_mib": 2048 });
    expect(requestsEqualLimits(quietRun({ config: { ...config, varying } }))).toBeNull();
    const set = configOf({ "resources.memory_mib": 2048 }, { memoryLimit: 2 ** 31 });
    expect(requestsEqualLimits(quietRun({ config: set }))).toBeNull();
  });

  test("what Kubernetes set as asked", () => {
    const config = configOf(
      { "resources.memory_mib": 2048, "resources.cpu": 2 },
      { memoryLimit: 2 ** 31, cpuLimit: 2 },
    );
    expect(effectiveNotRequested(quietRun({ config }))).toBeNull();
  });
});

describe("a setting is read under the names that harnesses give it", () => {
  test.each<[SettingId, string, string | number | null, number | null]>([
    ["keepaliveExpiry", "sandbox.opensandbox.connection.keepalive_expiry_s", 30, 30],
    ["keepaliveExpiry", "keepalive_expiry", "30s", 30],
    ["keepaliveExpiry", "http.keepAlive_timeout_ms", 3000, 3],
    ["keepaliveExpiry", "keepalive_expiry_s", "soon", null],
    ["memoryLimit", "resources.memory_mib", 2048, 2 ** 31],
    ["memoryLimit", "sandbox_spec.resources.memory", "2Gi", 2 ** 31],
    ["memoryLimit", "agent_memory_limit_mb", 2048, 2 ** 31],
    ["memoryLimit", "resources.memory", "2000000000", 2e9],
    ["memoryRequest", "resources.requests.memory", "512Mi", 2 ** 29],
    ["createTimeout", "create.timeout_s", 180, 180],
    ["concurrency", "max_concurrency", 64, 64],
  ])("%s as %s: %s", (id, path, raw, value) => {
    expect(numberIn({ common: { [path]: raw }, varying: {} }, id)).toBe(value);
  });

  test("a limit is no request, and what is not set has no reading", () => {
    expect(readings(configOf({ "resource_requests.memory_mib": 2048 }), "memoryLimit")).toEqual([]);
  });
});
