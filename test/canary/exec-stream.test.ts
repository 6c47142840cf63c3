import fc from "fast-check";
import { expect, test } from "vitest";
import { ExecStream } from "@/server/canary/exec-stream";

function read(...lines: string[]) {
  const stream = new ExecStream();
  const ends = lines.map(stream.take);
  return { outcome: stream.outcome, ends };
}

test("bare JSON lines with blank lines between are read, and a data: prefix is accepted", () => {
  const bare = read(
    '{"type":"init","text":"c1"}',
    "",
    '{"type":"stdout","text":"hi\\n"}',
    '{"type":"execution_complete"}',
  );
  const sse = read('data: {"type":"stdout","text":"hi\\n"}', 'data:{"type":"execution_complete"}');
  expect(bare.outcome).toMatchObject({ terminal: "complete", exitCode: 0, stdout: "hi\n", commandId: "c1" });
  expect(bare.ends).toEqual([false, false, false, true]);
  expect(sse.outcome).toMatchObject({ terminal: "complete", stdout: "hi\n" });
});

test("an error event carries the exit code as text, and a traceback may be null", () => {
  const { outcome } = read('{"type":"error","error":{"ename":"CommandExecError","evalue":"137","traceback":null}}');
  expect(outcome).toMatchObject({ terminal: "error", exitCode: 137, errorName: "CommandExecError" });
});

test("a start failure has no exit code, only its text", () => {
  const { outcome } = read('{"type":"error","error":{"ename":"CommandExecError","evalue":"fork/exec: too many"}}');
  expect(outcome).toMatchObject({ terminal: "error", exitCode: null, errorValue: "fork/exec: too many" });
});

test("a stream that ends after output and pings has no terminal event", () => {
  const { outcome } = read('{"type":"init"}', '{"type":"stdout","text":"x"}', '{"type":"ping","text":"pong"}');
  expect([outcome.terminal, outcome.exitCode, outcome.stdout]).toEqual([null, null, "x"]);
});

test("the first terminal event counts", () => {
  const { outcome } = read('{"type":"error","error":{"ename":"E","evalue":"1"}}', '{"type":"execution_complete"}');
  expect(outcome).toMatchObject({ terminal: "error", exitCode: 1 });
});

test("output is bounded, and whatever a server sends never throws", () => {
  const stream = new ExecStream();
  for (let i = 0; i < 100; i++) stream.take(JSON.stringify({ type: "stdout", text: "x".repeat(10_000) }));
  expect(stream.outcome.stdout).toHaveLength(65_536);
  const odd = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ type: fc.string(), error: fc.anything() }).map((v) => JSON.stringify(v)),
  );
  fc.assert(fc.property(fc.array(odd), (lines) => void read(...lines.map(String))));
});
