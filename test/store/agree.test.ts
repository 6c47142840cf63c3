import { test } from "vitest";
import { mustAgree } from "./agreement";

test("SQLite and plain arrays answer every question alike after the same random changes", () => mustAgree(1));
