import { describe, expect, test, vi } from "vitest";
import { CoalmineError, errorCode } from "@/server/domain/errors";

describe("an error of ours", () => {
  test("is known by its code, also when another module graph threw it", async () => {
    vi.resetModules();
    const other = await import("@/server/domain/errors");
    expect(other.CoalmineError).not.toBe(CoalmineError);
    const error = new other.CoalmineError("busy", "later", { retryAfterS: 2 });
    expect(error instanceof CoalmineError).toBe(true);
    expect(errorCode(error)).toBe("busy");
  });

  test.each([new Error("x"), new TypeError("x"), null, undefined, "busy", { code: "busy" }])(
    "%o is none, so it is internal",
    (thrown) => {
      expect(errorCode(thrown)).toBe("internal");
    },
  );
});
