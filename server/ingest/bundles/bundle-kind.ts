/** What an archive is, by its first bytes: names lie. */
import { CoalmineError } from "@/server/domain/errors";

export type BundleKind = "zip" | "tar";

/** Bytes that are enough to tell: a tar's mark stands at 257. */
export const KIND_BYTES = 512;

const REFUSED: readonly [name: string, mark: readonly number[]][] = [
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["7-Zip", [0x37, 0x7a, 0xbc, 0xaf]],
  ["RAR", [0x52, 0x61, 0x72, 0x21]],
];

/** Null for anything that is no archive. Throws `unsupported` for one that cannot be read here, with what can. */
export function bundleKindOf(head: Uint8Array): BundleKind | null {
  if (begins(head, [0x50, 0x4b, 3, 4]) || begins(head, [0x50, 0x4b, 5, 6])) return "zip";
  if (Buffer.from(head.subarray(257, 262)).toString("latin1") === "ustar") return "tar";
  const refused = REFUSED.find(([, mark]) => begins(head, mark))?.[0];
  // A text may begin with BZh; what follows in the packed form is the mark of its first block.
  if (refused === undefined || (refused === "bzip2" && !begins(head.subarray(4), [0x31, 0x41, 0x59]))) return null;
  throw new CoalmineError(
    "unsupported",
    `A ${refused} archive cannot be read. Send a .zip, .eval, .tar, .tar.gz, .tgz or .tar.zst.`,
  );
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
}
