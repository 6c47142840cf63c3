import { describe, expect, test } from "vitest";
import { wholeCharacters } from "@/server/ingest/whole-characters";
import { growth, LINEAR } from "@/test/support/cpu-time";
import { incidents, openMemory, send } from "../support/deliveries";

const HALF = "\\ud83d";

describe("half a character in JSON", () => {
  test.each([
    ['{"a":"x\\ud83d"}', '{"a":"x\\ufffd"}'],
    ['{"a":"\\ude00x"}', '{"a":"\\ufffdx"}'],
    ['{"a":"\\uD83D\\uD83D\\uDE00"}', '{"a":"\\ufffd\\uD83D\\uDE00"}'],
    ['{"log":"{\\"a\\":\\"\\\\ud83d\\"}"}', '{"log":"{\\"a\\":\\"\\\\ufffd\\"}"}'],
    ['{"log":"{\\"a\\":\\"\\\\ud83d\\\\ude00\\"}"}', '{"log":"{\\"a\\":\\"\\\\ud83d\\\\ude00\\"}"}'],
    ["plain \\u0041 and 😀", "plain \\u0041 and 😀"],
  ])("%s is read as %s", (text, read) => {
    expect(wholeCharacters(text)).toBe(read);
  });

  test.each(["\\", "\\ud83d", "\\ud83d\\\\", "\\ude00"])("%j again and again is read in linear time", (piece) => {
    expect(growth((size) => wholeCharacters(`\\u${piece.repeat(size / piece.length)}`), 12_500)).toBeLessThan(LINEAR);
  });

  test("in every name of a record and of a delivery it is settled, found again, and holds up nothing behind it", async () => {
    const store = await openMemory();
    const names = { sandbox_id: `s${HALF}`, node: `n${HALF}`, pod: `p${HALF}`, run: `r${HALF}` };
    const line = JSON.stringify({ ts: "2026-07-27T10:00:01Z", level: "error", msg: "ConnectionResetError", ...names });
    await send(store, `${line.replaceAll("\\\\", "\\")}\n`, { source: "half\ud83d", node: "m\ud83d" });
    const [found] = await incidents(store);
    expect(found?.sandbox).toBe("s\ufffd");
    expect(await store.unsettled(10)).toEqual([]);
    const same = await store.listIncidents({ nodes: [found?.node ?? ""] }, { limit: 10, cursor: null });
    expect(same.items.length).toBe(1);
    await store.close();
  });
});
