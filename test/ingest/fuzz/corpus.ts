/** Good input of every envelope and format: the fixtures of their tests, and the field cases. */
import { readdirSync, readFileSync } from "node:fs";

export interface Seeds {
  /** Folder of the fixtures: the envelope's or format's name. */
  name: string;
  bodies: Buffer[];
}

/** A body is cut to its beginning, so that one input stays cheap. */
const MOST_BYTES = 6_000;

function bodiesIn(folder: URL): Buffer[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".ts"))
    .map((entry) => readFileSync(new URL(entry.name, folder)).subarray(0, MOST_BYTES));
}

function seedsUnder(folder: string): Seeds[] {
  const base = new URL(`../${folder}/fixtures/`, import.meta.url);
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ name: entry.name, bodies: bodiesIn(new URL(`${entry.name}/`, base)) }))
    .filter((seeds) => seeds.bodies.length > 0);
}

/** Each file is of the envelope that it is named after: those whose own tests have no files. */
function seedsBeside(): Seeds[] {
  const base = new URL("fixtures/", import.meta.url);
  return readdirSync(base).map((file) => ({
    name: file.replace(/\..*/, ""),
    bodies: [readFileSync(new URL(file, base)).subarray(0, MOST_BYTES)],
  }));
}

export function corpus(): Seeds[] {
  const cases = bodiesIn(new URL("../../cases/", import.meta.url));
  const requests = bodiesIn(new URL("../wire/fixtures/", import.meta.url));
  const mixed = [
    { name: "field cases", bodies: cases },
    { name: "collectors' requests", bodies: requests },
  ];
  return [...seedsUnder("envelopes"), ...seedsUnder("formats"), ...mixed, ...seedsBeside()];
}
