import { describe, expect, it } from "vitest";
import { toCsv } from "@/server/http/csv";

describe("CSV", () => {
  it("quotes what would break a line and leaves numbers as they are", () => {
    expect(toCsv([{ a: 'say "x"', b: -5, c: "1,5", d: ["x", 1], e: null, f: true }])).toBe(
      'a,b,c,d,e,f\r\n"say ""x""",-5,"1,5","[""x"",1]",,true\r\n',
    );
  });

  it("makes text of everything that a spreadsheet would run", () => {
    for (const start of ["=", "+", "-", "@", "\t", "\r"]) expect(toCsv([{ a: `${start}1` }])).toContain(`'${start}1`);
  });

  it("gives a part that is missing in some rows its columns once", () => {
    expect(
      toCsv([
        { id: 1, rate: null },
        { id: 2, rate: { k: 1, n: 2 } },
      ]),
    ).toBe("id,rate.k,rate.n\r\n1,,\r\n2,1,2\r\n");
  });

  it("of nothing is nothing", () => {
    expect(toCsv([])).toBe("");
  });
});
