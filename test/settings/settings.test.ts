import { isAbsolute } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "@/server/settings";

const SECRET = "0123456789abcdef";

describe("settings", () => {
  test("are complete without any variable, on loopback", () => {
    const settings = readSettings({ PATH: "/bin" });
    expect(settings).toMatchObject({ host: "127.0.0.1", port: 4180, tokens: [], publicUrl: null, configPath: null });
    expect(isAbsolute(settings.dataDir)).toBe(true);
  });

  test("name roles and tokens, with or without names", () => {
    const { tokens } = readSettings({ COALMINE_TOKENS: `viewer:${SECRET}, ci:ingest:${SECRET}x` });
    expect(tokens).toEqual([
      { name: "viewer-1", role: "viewer", secret: SECRET },
      { name: "ci", role: "ingest", secret: `${SECRET}x` },
    ]);
  });

  test("take sizes with units and treat empty as not set", () => {
    expect(readSettings({ COALMINE_MAX_BODY: "2GiB", COALMINE_HOST: "" })).toMatchObject({
      maxBodyBytes: 2 * 1024 ** 3,
      host: "127.0.0.1",
    });
  });

  test("leave the command line's own variables alone", () => {
    expect(() => readSettings({ COALMINE_URL: "http://x", COALMINE_TOKEN: "t" })).not.toThrow();
  });

  test.each([
    ["COALMINE_PROT", "1", /COALMINE_PROT.*COALMINE_PORT/],
    ["COALMINE_NONSENSE", "1", /COALMINE_NONSENSE.*no such setting/],
    ["COALMINE_PORT", "70000", /^COALMINE_PORT: must be a whole number/],
    ["COALMINE_PORT", "http", /^COALMINE_PORT: must be a whole number/],
    ["COALMINE_MAX_BODY", "lots", /^COALMINE_MAX_BODY: must be a size/],
    ["COALMINE_RETENTION_DAYS", "0", /^COALMINE_RETENTION_DAYS: must be a whole number of days/],
    ["COALMINE_UPLOAD_SPACE", "lots", /^COALMINE_UPLOAD_SPACE: must be a size/],
    ["COALMINE_SOURCE_MIB_PER_MINUTE", "0", /^COALMINE_SOURCE_MIB_PER_MINUTE: must be a number/],
    ["COALMINE_SOURCE_MIB_PER_MINUTE", "fast", /^COALMINE_SOURCE_MIB_PER_MINUTE: must be a number/],
    ["COALMINE_PUBLIC_URL", "coalmine", /^COALMINE_PUBLIC_URL: must be an http/],
    ["COALMINE_STORE", "clickhouse://x", /^COALMINE_STORE: must be sqlite/],
    ["COALMINE_LOG_LEVEL", "loud", /^COALMINE_LOG_LEVEL: must be/],
    ["COALMINE_TOKENS", "viewer:short", /^COALMINE_TOKENS: entry 1 .*shorter than 16/],
    ["COALMINE_TOKENS", `boss:${SECRET}`, /^COALMINE_TOKENS: entry 1 .*ingest, viewer, operator/],
    ["COALMINE_TOKENS", SECRET, /^COALMINE_TOKENS: entry 1 must be role:token/],
    ["COALMINE_TOKENS", `viewer:${SECRET},ingest:${SECRET}`, /^COALMINE_TOKENS: .*twice/],
    ["COALMINE_HOST", "0.0.0.0", /^COALMINE_HOST: "0\.0\.0\.0" is not a loopback/],
  ])("with %s=%s stop the start and say why", (name, value, reason) => {
    expect(() => readSettings({ [name]: value })).toThrow(reason);
  });

  test("never repeat a token in an error", () => {
    for (const entry of [`viewer:${SECRET}:more:parts`, `a:boss:${SECRET}`, `viewer:${SECRET},x:viewer:${SECRET}`]) {
      expect(() => readSettings({ COALMINE_TOKENS: entry })).toThrow(/^(?!.*0123456789abcdef)/s);
    }
  });

  test("allow another host than loopback when tokens are configured", () => {
    expect(readSettings({ COALMINE_HOST: "0.0.0.0", COALMINE_TOKENS: `viewer:${SECRET}` }).host).toBe("0.0.0.0");
    for (const host of ["localhost", "127.0.0.9", "::1"]) expect(readSettings({ COALMINE_HOST: host }).host).toBe(host);
  });
});
