import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "@/server/classify/classify";
import { RULES } from "@/server/classify/rules/order";
import { CLASSES } from "@/server/classify/taxonomy";
import { EVIDENCE_KINDS, type Evidence, LAYERS } from "@/server/domain/evidence";
import { growth, QUADRATIC } from "@/test/support/cpu-time";

const words = RULES.flatMap((rule) => [...rule.yes, ...rule.no].flatMap((one) => one.message ?? []));
const text = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.constantFrom(...words),
  fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((parts) => parts.join("\n")),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 137, 502, 44_772, Number.NaN));

const evidence: fc.Arbitrary<Evidence> = fc
  .record(
    {
      layer: fc.constantFrom(...LAYERS),
      kind: fc.constantFrom(...EVIDENCE_KINDS),
      message: text,
      level: fc.constantFrom("debug", "info", "warn", "error", "fatal"),
      phase: fc.constantFrom("create", "setup", "exec", "files", "verify", "teardown"),
      errorType: text,
      errorChain: fc.array(text, { maxLength: 3 }),
      producerClass: text,
      code: text,
      status: number,
      method: text,
      path: text,
      port: number,
      operation: text,
      reusedSocket: fc.boolean(),
      idleMs: number,
      bytesRead: number,
      exitCode: number,
      durationMs: number,
      timeoutMs: number,
      reason: text,
      mainContainer: fc.boolean(),
      deleting: fc.boolean(),
      memoryOomKills: number,
      finishedStatus: text,
    },
    { requiredKeys: ["layer", "kind"] },
  )
  .map((one) => one as Evidence);

const known = new Set<string | null>([null, ...CLASSES.map((info) => info.id)]);

describe("whatever comes", () => {
  test("never throws, gives a known class, and the same one again", () => {
    fc.assert(
      fc.property(evidence, (one) => {
        const first = classify(one);
        expect(known.has(first.class)).toBe(true);
        expect(first.class === null).toBe(first.confidence === null);
        expect(classify(one)).toEqual(first);
      }),
      { numRuns: 3_000 },
    );
  });

  test("text of the agent never becomes infrastructure or unknown", () => {
    fc.assert(
      fc.property(evidence, (one) => {
        const found = classify({ ...one, layer: "agent" }).class;
        expect(found === null || /^(agent|task|app)\./.test(found)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a success is never a failure", () => {
    fc.assert(
      fc.property(evidence, (one) => {
        expect(classify({ ...one, kind: "success" }).class).toBeNull();
      }),
    );
  });
});

describe("no pattern runs away", () => {
  const patterns = RULES.flatMap((rule) =>
    [...rule.when, ...(rule.unless ?? [])].flatMap((condition) =>
      Object.values(condition).flatMap((value) => (value instanceof RegExp ? [[rule.id, value] as const] : [])),
    ),
  );
  const seeds = [
    "a",
    " ",
    "0",
    "Error",
    "x.",
    "Sandbox",
    "\n",
    "'",
    "(",
    "write tcp ",
    "WebSocket ",
    "pull image",
    "HTTP ",
    "upstream ",
    "A1_",
    "eviction manager: pod ",
    "fork",
    "wss://a:44772 refused ",
    ":10250 ",
    "/proxy/1",
    "429 ",
    "recv() failed ",
  ];
  // Ends so that nothing matches at the end.
  const adversarial = (seed: string, length: number) =>
    `${seed.repeat(Math.ceil(length / seed.length)).slice(0, length)}!\u0000`;

  test.each(patterns)("%s %s does not backtrack without end", (_, pattern) => {
    // Up to as long as evidence may be.
    for (const seed of seeds)
      expect(
        growth((length) => pattern.test(adversarial(seed, length)), 500),
        `${pattern} on ${JSON.stringify(seed)}`,
      ).toBeLessThan(QUADRATIC);
  });

  test("a text far beyond the limit is judged by its beginning alone", () => {
    const said = "Server disconnected without sending a response.";
    const classOf = (message: string) => classify({ layer: "harness", kind: "error", message }).class;
    expect(classOf(`${said} ${"x".repeat(5_000_000)}`)).toBe("transport.stale_keepalive");
    expect(classOf(`${"x".repeat(5_000_000)} ${said}`)).toBe(classOf("x".repeat(4_000)));
  });
});
