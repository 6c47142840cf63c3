import { describe, expect, test } from "vitest";
import { nodeNames } from "@/app/_ui/node-names";

const AWS = ".eu-central-1.compute.internal";

describe("names of nodes in a list", () => {
  test("leave out the domain that they share, and say which", () => {
    const names = nodeNames([`ip-10-1-4-7${AWS}`, `ip-10-1-4-8${AWS}`, "gpu-01", "10.2.3.4"]);
    expect(names.domain).toBe(AWS);
    expect(names.short(`ip-10-1-4-7${AWS}`)).toBe("ip-10-1-4-7");
    expect(names.short("gpu-01")).toBe("gpu-01");
    expect(names.short("10.2.3.4")).toBe("10.2.3.4");
  });

  test("stay whole where only one has a domain, and where two would become the same", () => {
    expect(nodeNames([`a${AWS}`, "b"]).short(`a${AWS}`)).toBe(`a${AWS}`);
    const alike = nodeNames([`a${AWS}`, `b${AWS}`, "a"]);
    expect([alike.short(`a${AWS}`), alike.domain]).toEqual([`a${AWS}`, ""]);
  });

  test("of addresses stay whole", () => {
    expect(nodeNames(["10.2.3.4", "10.2.3.5"]).short("10.2.3.4")).toBe("10.2.3.4");
  });

  test("of another domain than most stay whole", () => {
    const names = nodeNames([`a${AWS}`, `b${AWS}`, "c.other.example"]);
    expect(names.short("c.other.example")).toBe("c.other.example");
  });
});
