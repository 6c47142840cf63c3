import { test } from "vitest";
import { mustAgree } from "./agreement";

test.each([2, 3, 4, 5])(
  "SQLite and plain arrays answer every question alike after the same random changes (seed %i)",
  (seed) => mustAgree(seed),
);
