import { expect, test } from "vitest";
import { worthSending } from "@/app/ingest/pick-files";

const file = (path: string) => ({ path, file: new File(["x"], path.split("/").at(-1) ?? "") });

test("of a folder only what holds records is sent, and what is left out is said by kind", () => {
  const { files, leftOut } = worthSending([
    file("exp-7/t1__aaaaaaa/result.json"),
    file("exp-7/t1__aaaaaaa/agent/output.log"),
    file("exp-7/t1__aaaaaaa/model.patch"),
  ]);
  expect(files.map((one) => one.path)).toEqual(["exp-7/t1__aaaaaaa/result.json"]);
  expect(leftOut.map((one) => [one.why, one.files])).toEqual([
    ["output of agents", 1],
    ["patches and predictions", 1],
  ]);
});

test("a file that was chosen by itself is sent, whatever it is called", () => {
  expect(worthSending([file("test_output.txt")]).files).toHaveLength(1);
});
