import { expect, test } from "vitest";
import { indexLinks, subjectAt, targetAt } from "@/server/derive/who-is-who";
import type { Link } from "@/server/domain/facts";

const link = (from: string, to: string, since: number | null = null, until: number | null = null): Link => ({
  from,
  to,
  since,
  until,
  how: "label",
});

test("an IP leads over its pod to the sandbox that held it then", () => {
  const index = indexLinks([
    link("ip:c/1", "pod:c/a", 0, 100_000),
    link("ip:c/1", "pod:c/b", 200_000, null),
    link("pod:c/a", "sandbox:c/s"),
    link("pod:c/b", "sandbox:c/t"),
  ]);
  expect(subjectAt(index, "ip:c/1", 50_000)).toBe("sandbox:c/s");
  expect(subjectAt(index, "ip:c/1", 250_000)).toBe("sandbox:c/t");
});

test("without a time an ambiguous thing leads nowhere", () => {
  const index = indexLinks([link("pod:c/a", "sandbox:c/s", 0, 10), link("pod:c/a", "sandbox:c/t", 20, 30)]);
  expect(targetAt(index, "pod:c/a", null)).toBeNull();
});

test("of two that overlap the one that began last holds", () => {
  const index = indexLinks([link("pod:c/a", "sandbox:c/s", 0, null), link("pod:c/a", "sandbox:c/t", 1_000_000, null)]);
  expect(targetAt(index, "pod:c/a", 2_000_000)).toBe("sandbox:c/t");
  expect(targetAt(index, "pod:c/a", 500_000)).toBe("sandbox:c/s");
});

test("sources that give an interval beat those that give none, and the widest holds", () => {
  const index = indexLinks([link("pod:c/a", "sandbox:c/s"), link("pod:c/a", "sandbox:c/s", 5_000_000, 6_000_000)]);
  expect(targetAt(index, "pod:c/a", 1)).toBeNull();
  expect(targetAt(index, "pod:c/a", 5_500_000)).toBe("sandbox:c/s");
});

test("links in a circle end", () => {
  expect(subjectAt(indexLinks([link("a", "b"), link("b", "a")]), "a", 1)).toMatch(/^[ab]$/);
});

test("of repeats that ran side by side the sandbox that ended with the rollout is its own; a tie is nobody's", () => {
  const sandbox = (id: string, until: number) => link("instance:c/r/t", `sandbox:c/${id}`, 0, until);
  const index = indexLinks([sandbox("s1", 600_000), sandbox("s2", 900_000)]);
  expect(targetAt(index, "instance:c/r/t", 598_000)).toBe("sandbox:c/s1");
  expect(targetAt(index, "instance:c/r/t", 300_000)).toBeNull();
  const tie = indexLinks([sandbox("s1", 600_000), sandbox("s2", 601_000)]);
  expect(targetAt(tie, "instance:c/r/t", 599_000)).toBeNull();
});

test("a pod's name that leads to its pod and to its sandbox leads to the sandbox, and so does the pod", () => {
  const byName = [link("podname:c/ns/p", "pod:c/u"), link("podname:c/ns/p", "sandbox:c/s")];
  for (const links of [byName, [...byName, link("pod:c/u", "sandbox:c/s")]]) {
    const index = indexLinks(links);
    for (const at of [5, null]) {
      expect(subjectAt(index, "podname:c/ns/p", at)).toBe("sandbox:c/s");
      expect(subjectAt(index, "pod:c/u", at)).toBe("sandbox:c/s");
    }
  }
});

test("a pool's pod is each sandbox's in its time, also when only its name says so", () => {
  const index = indexLinks([
    link("podname:c/ns/p", "pod:c/u"),
    link("podname:c/ns/p", "sandbox:c/s", 0, 1_000_000),
    link("podname:c/ns/p", "sandbox:c/t", 2_000_000, 3_000_000),
  ]);
  for (const ref of ["podname:c/ns/p", "pod:c/u"]) {
    expect(subjectAt(index, ref, 500_000)).toBe("sandbox:c/s");
    expect(subjectAt(index, ref, 2_500_000)).toBe("sandbox:c/t");
  }
});
