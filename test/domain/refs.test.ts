import { expect, test } from "vitest";
import { bucketRef, makeRef, splitBucket, splitRef, subjectOfRef } from "@/server/domain/refs";

test("a ref splits into kind, cluster and an id that may hold slashes and colons", () => {
  const ref = makeRef("podname", "default", "sandboxes/sbx-a-0:x");
  expect(splitRef(ref)).toEqual({ kind: "podname", cluster: "default", id: "sandboxes/sbx-a-0:x" });
});

test("a bucketed ref keeps its id and names the 10-minute bucket of its time", () => {
  const { id } = splitRef(bucketRef("stream", "default", "host@a", 1_200_001));
  expect(splitBucket(id)).toEqual({ id: "host@a", bucket: 2 });
  expect(splitBucket(splitRef(bucketRef("stream", "default", "a", null)).id)).toEqual({ id: "a", bucket: null });
});

test("people see a subject without its bucket, and what was shared instead of the sharing", () => {
  expect(subjectOfRef("stream:c/run:r|a@123")).toEqual({ kind: "stream", id: "run:r|a" });
  expect(subjectOfRef("shared:c/node/gpu/1@none")).toEqual({ kind: "node", id: "gpu/1" });
  expect(subjectOfRef("sandbox:c/a@1")).toEqual({ kind: "sandbox", id: "a@1" });
});
