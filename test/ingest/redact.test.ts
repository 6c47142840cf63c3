import { describe, expect, test } from "vitest";
import { redact, redactConfig, redactFields } from "@/server/ingest/redact";
import { growth, LINEAR } from "@/test/support/cpu-time";

const GONE: [string, string][] = [
  ['{"api_key":"sk-abc","n":1}', '{"api_key":"[redacted]","n":1}'],
  ['{"msg":"{\\"api_key\\":\\"abc def\\"}"}', '{"msg":"{\\"api_key\\":\\"[redacted]\\"}"}'],
  ["connect(api_key='abc', retries=3)", "connect(api_key='[redacted]', retries=3)"],
  ["{'OPEN-SANDBOX-API-KEY': 'k1', 'x': 2}", "{'OPEN-SANDBOX-API-KEY': '[redacted]', 'x': 2}"],
  ["Authorization: Bearer abc.def-123", "Authorization: [redacted]"],
  ['{"Authorization": "Basic dXNlcjpwYXNz"}', '{"Authorization": "[redacted]"}'],
  ["sent Bearer 8f14e45fceea167a to host", "sent Bearer [redacted] to host"],
  ["password=hunter retries=2", "password=[redacted] retries=2"],
  ["DB_PASSWORD=s3cr3t;x", "DB_PASSWORD=[redacted];x"],
  ["curl --token abc123def -v", "curl --token [redacted] -v"],
  ["opensandbox.io/secure-access-token: 9f8e7d6c", "opensandbox.io/secure-access-token: [redacted]"],
  ["OpenSandbox-Secure-Access: 77aa88bb", "OpenSandbox-Secure-Access: [redacted]"],
  ["GET /x?token=a1b2c3d4&y=2", "GET /x?token=[redacted]&y=2"],
  ["key AKIAIOSFODNN7EXAMPLE in env", "key [redacted] in env"],
  ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = [redacted]"],
  ["postgres://user:pa55@db:5432/x", "postgres://[redacted]@db:5432/x"],
  ["https://ghp_0123456789abcdefghijABCDEFGHIJ@github.com/a", "https://[redacted]@github.com/a"],
  ["found hf_abcdefghijklmnopqrstuvwx here", "found [redacted] here"],
  ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_1", "jwt [redacted]"],
  ['{"name":"OPENAI_API_KEY","value":"whatever"}', '{"name":"OPENAI_API_KEY","value":"[redacted]"}'],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[redacted]"],
];

const KEPT = [
  "tokens: 123",
  "token: 123",
  '{"usage":{"total_tokens":512,"prompt_tokens":400}}',
  "max_tokens=4096 temperature=1",
  "Unexpected token: expected ';'",
  "SyntaxError: Unexpected token < in JSON at position 0",
  "authorization: denied",
  "KeyError: 'reward'",
  "the bearer authentication scheme",
  "key: value monkey=banana",
  "cannot access sandbox: not found",
  "https://host/path@2x.png",
  "user@host: command not found",
  '{"api_key":null,"token":""}',
  "password: None",
];

describe("redaction", () => {
  test.each(GONE)("takes the secret out of %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test.each(GONE)("changes nothing more the second time for %s", (text) => {
    expect(redact(redact(text))).toBe(redact(text));
  });

  test.each(KEPT)("leaves %s as it is", (text) => {
    expect(redact(text)).toBe(text);
  });

  test("a key printed line by line is one in each line of its body; a digest, a word, other base64 is none", () => {
    const pem = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    const ssh = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn";
    for (const line of [pem, ssh, `  ${pem}`]) expect(redact(line)).toBe(line.replace(/\S+/, "[redacted]"));
    expect(redact(`${pem}\n${pem}\nend`)).toBe("[redacted]\n[redacted]\nend");
    const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for (const line of [digest, digest.toUpperCase(), `${pem}AAAAAAAAAAAA`, `see ${pem}`])
      expect(redact(line)).toBe(line);
  });

  test("JSON stays JSON", () => {
    const text = JSON.stringify({ a: JSON.stringify({ token: 'x"y\\z1', password: "p" }), secret: "q'r" });
    expect(() => JSON.parse(JSON.parse(redact(text)).a)).not.toThrow();
    expect(redact(text)).not.toMatch(/x\\|q'r/);
  });

  test("settings lose values by name and by shape, and keep numbers", () => {
    expect(
      redactConfig({ "env.API_KEY": "abc", "limits.tokens": 5, url: "http://u:p@h/", "x.keepalive": "3" }),
    ).toEqual({
      "env.API_KEY": "[redacted]",
      "limits.tokens": 5,
      url: "http://[redacted]@h/",
      "x.keepalive": "3",
    });
  });

  test("evidence keeps its types and loses its secrets", () => {
    expect(redactFields({ message: "token=abc12345", status: 502, errorChain: ["password=x1"] })).toEqual({
      message: "token=[redacted]",
      status: 502,
      errorChain: ["password=[redacted]"],
    });
  });

  test.each(["token", "api_key=", "a/.-", "a.", "://", 'token"', "\\\\\\", "--token ", "eyJ-", "-----BEGIN "])(
    "a hostile text of 100 000 characters, %j again and again, is redacted in linear time",
    (piece) => {
      expect(growth((size) => redact(`key ${piece.repeat(size / piece.length)}`), 12_500)).toBeLessThan(LINEAR);
    },
  );
});
