/** The senders of the block that is being filled. Blocks of the same senders get the same list, in order of their streams. */
import type { ArchiveSender } from "@/server/domain/archive";
import { nameHash, tokenHash, tokensOf } from "@/server/domain/token-filter";
import type { TokenSet } from "./token-set";

/** Hashes of the tokens in what names a sender, and of its stream. */
const hashes = new WeakMap<ArchiveSender, readonly number[]>();

export class SenderList {
  private senders: ArchiveSender[] = [];
  private readonly indexes = new Map<ArchiveSender, number>();
  private latest: ArchiveSender[] = [];

  /** Throws when it is not of the run and origin of the others. */
  indexOf(sender: ArchiveSender): number {
    const known = this.indexes.get(sender);
    if (known !== undefined) return known;
    const [first] = this.senders;
    if (first && (first.run !== sender.run || first.origin !== sender.origin))
      throw new Error("a block is of one run and one origin");
    this.indexes.set(sender, this.senders.length);
    return this.senders.push(sender) - 1;
  }

  /** Lines are found by who sent them as well. */
  addNames(tokens: TokenSet): void {
    for (const sender of this.senders) for (const hash of hashesOf(sender)) tokens.add(hash);
  }

  /** The list, and where each index stands in it; then begins anew. */
  close(): { senders: ArchiveSender[]; place: Uint32Array } {
    const order = this.senders.map((sender, index) => ({ sender, index }));
    order.sort((a, b) => (a.sender.stream < b.sender.stream ? -1 : a.sender.stream > b.sender.stream ? 1 : 0));
    const place = new Uint32Array(order.length);
    order.forEach(({ index }, at) => {
      place[index] = at;
    });
    const senders = order.map((one) => one.sender);
    const same = senders.length === this.latest.length && senders.every((sender, i) => sender === this.latest[i]);
    if (!same) this.latest = senders;
    this.senders = [];
    this.indexes.clear();
    return { senders: this.latest, place };
  }
}

function hashesOf(sender: ArchiveSender): readonly number[] {
  const known = hashes.get(sender);
  if (known) return known;
  const { stream, pod, podUid, sandbox, node, source, run } = sender;
  const names = [pod, podUid, sandbox, node, source, run].flatMap((name) => tokensOf(name ?? ""));
  const made = [nameHash(stream), ...names.map(tokenHash)];
  hashes.set(sender, made);
  return made;
}
