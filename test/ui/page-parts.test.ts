import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { apiError, apiUrl } from "@/app/_client/api";
import { themeClass, themeOf, zoneOf } from "@/app/_client/preferences";
import { addressOf } from "@/app/_client/server-address";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { alloySnippet, fluentBitSnippet, otelSnippet, vectorSnippet } from "@/app/_ui/collector-snippets";
import { placeLines } from "@/app/_ui/panel/evidence-gaps";
import { factText } from "@/app/_ui/panel/fact-text";
import { curlSnippet } from "@/app/_ui/snippets";
import { compareBy, nextOrder, orderOf } from "@/app/_ui/table/column";
import { nextUrl, withoutHead } from "@/app/_ui/table/download-csv";
import { safeNext } from "@/app/sign-in/safe-next";
import type { EvidenceLine } from "@/server/domain/answers";

describe("calls of the API", () => {
  test("write lists with commas and leave out what is not asked", () => {
    expect(apiUrl("/failures", { by: ["class", "node"], run: null, node: undefined, text: "", limit: 5 })).toBe(
      "/api/v1/failures?by=class%2Cnode&limit=5",
    );
    expect(apiUrl("/runs")).toBe("/api/v1/runs");
  });

  test("that fail say what the server said", () => {
    const problem = apiError(429, JSON.stringify({ code: "busy", detail: "Too many deliveries." }), "3");
    expect([problem.code, problem.message, problem.retryAfterS]).toEqual(["busy", "Too many deliveries.", 3]);
  });

  test("that fail without a problem document keep their status", () => {
    const problem = apiError(502, "<html>", null);
    expect([problem.code, problem.status, problem.retryAfterS]).toEqual(["internal", 502, null]);
  });
});

describe("tables", () => {
  const ids = ["name", "lost"];

  test("read their order from the URL and ignore what is no column", () => {
    expect([orderOf("-lost", ids), orderOf("name", ids), orderOf("bogus", ids), orderOf(null, ids)]).toEqual([
      { id: "lost", down: true },
      { id: "name", down: false },
      null,
      null,
    ]);
  });

  test("turn from greatest first to least first to the server's order", () => {
    const first = nextOrder(null, "lost");
    const second = nextOrder(orderOf(first, ids), "lost");
    expect([first, second, nextOrder(orderOf(second, ids), "lost")]).toEqual(["-lost", "lost", null]);
    expect(nextOrder(orderOf("-lost", ids), "name")).toBe("-name");
  });

  test("put the unknown last whichever way they run", () => {
    const sorted = (down: boolean) => [2, null, 10].sort((a, b) => (down ? -1 : 1) * compareBy(a, b, down));
    expect([sorted(false), sorted(true)]).toEqual([
      [2, 10, null],
      [10, 2, null],
    ]);
  });

  test("order names by their numbers", () => {
    expect(compareBy("node-2", "node-10", false)).toBeLessThan(0);
  });

  test("join CSV pages under one head", () => {
    expect([withoutHead("a,b\n1,2\n"), withoutHead("a,b")]).toEqual(["1,2\n", ""]);
    expect(nextUrl('</api/v1/runs?cursor=x>; rel="next"')).toBe("/api/v1/runs?cursor=x");
    expect([nextUrl(null), nextUrl('<x>; rel="prev"')]).toEqual([null, null]);
  });

  test("save under names that every system takes", () => {
    expect(fileStem("a/b: c", "rollouts")).toBe("coalmine-a-b-c-rollouts");
  });
});

describe("evidence", () => {
  const line = (at: string | null): EvidenceLine => ({
    at,
    layer: "server",
    kind: "log",
    source: "s",
    node: null,
    text: "t",
    class: null,
    rule: null,
  });

  test("shows silences of ten seconds and more", () => {
    const placed = placeLines([
      line("2026-11-27T14:00:00.000Z"),
      line("2026-11-27T14:00:09.999Z"),
      line(null),
      line("2026-11-27T14:00:50.000Z"),
    ]);
    expect(placed.map((one) => one.gapMs)).toEqual([null, null, null, 40_001]);
    expect(new Set(placed.map((one) => one.key)).size).toBe(4);
  });

  test("facts carry their units", () => {
    expect([
      factText("memoryLimit", 2 ** 31),
      factText("cpuLimit", 1),
      factText("ttlS", 3600),
      factText("phase", "Failed"),
    ]).toEqual(["2 GiB", "1 core", "1 h", "Failed"]);
    expect(factText("createdAt", Date.UTC(2026, 10, 27, 14))).toBe("2026-11-27 14:00:00 UTC");
  });
});

describe("what a reader chose", () => {
  test("is taken from cookies, and from nothing that is no choice", () => {
    expect([themeOf("dark"), themeOf(undefined), themeOf("<script>")]).toEqual(["dark", "system", "system"]);
    expect([themeClass("dark"), themeClass("system")]).toEqual(["dark", ""]);
    expect([zoneOf("Europe/Berlin").name, zoneOf("nowhere").name, zoneOf(undefined).name]).toEqual([
      "Europe/Berlin",
      "UTC",
      "UTC",
    ]);
  });
});

describe("addresses", () => {
  const headers = (given: Record<string, string>) => ({ get: (name: string) => given[name] ?? null });

  test("in snippets are those by which the reader came", () => {
    expect(addressOf(headers({ host: "127.0.0.1:4180" }))).toBe("http://127.0.0.1:4180");
    expect(addressOf(headers({ host: "x", "x-forwarded-host": "coal.example", "x-forwarded-proto": "https" }))).toBe(
      "https://coal.example",
    );
  });

  test("never carry a shell's characters", () => {
    expect(addressOf(headers({ host: "a';rm -rf x;'" }))).toBe("http://127.0.0.1:4180");
  });

  test("make snippets that can be pasted", () => {
    expect(curlSnippet("https://coal.example", "my run")).toContain(
      "'https://coal.example/api/v1/ingest/auto?run=my%20run",
    );
    expect(fluentBitSnippet("https://coal.example")).toMatch(/Port {14}443\n[\s\S]*tls {15}On/);
    expect(fluentBitSnippet("http://127.0.0.1:4180")).toMatch(/Host {14}127.0.0.1\n {4}Port {14}4180/);
    expect(parse(vectorSnippet("https://coal.example")).sinks.coalmine).toMatchObject({
      uri: "https://coal.example/api/v1/ingest/auto?source=vector",
      auth: { strategy: "bearer", token: "SECRET[coalmine.token]" },
    });
    expect(parse(otelSnippet("https://coal.example"))).toMatchObject({
      exporters: { "otlp_http/coalmine": { endpoint: "https://coal.example/otlp" } },
      service: { pipelines: { logs: { receivers: ["file_log"], exporters: ["otlp_http/coalmine"] } } },
    });
    const alloy = alloySnippet("https://coal.example");
    expect(alloy).toContain('url                 = "https://coal.example/loki/api/v1/push"');
    expect(alloy.split("{").length).toBe(alloy.split("}").length);
  });

  test("make collectors try again without an end, and wait where lines are safe", () => {
    expect(fluentBitSnippet("https://coal.example")).toMatch(/storage\.type +filesystem[\s\S]*Retry_Limit +no_limits/);
    expect(parse(vectorSnippet("https://coal.example")).sinks.coalmine.buffer).toMatchObject({
      type: "disk",
      when_full: "block",
    });
    const otel = parse(otelSnippet("https://coal.example"));
    expect(otel.receivers.file_log).toMatchObject({
      storage: "file_storage",
      retry_on_failure: { enabled: true, max_elapsed_time: 0 },
    });
    expect(otel.exporters["otlp_http/coalmine"]).toMatchObject({
      retry_on_failure: { max_elapsed_time: 0 },
      sending_queue: { storage: "file_storage", block_on_overflow: true },
    });
    expect(otel.service.extensions).toEqual(Object.keys(otel.extensions));
    expect(alloySnippet("https://coal.example")).toMatch(/max_backoff_retries = 0/);
  });

  test("after signing in stay on this site", () => {
    expect(
      ["/runs/a?x=1", undefined, "https://evil.example", "//evil.example", "/\\evil", "/sign-in?next=/"].map(safeNext),
    ).toEqual(["/runs/a?x=1", "/", "/", "/", "/", "/"]);
  });
});
