/** Names of nodes in a list. Pure. */

export interface NodeNames {
  /** The name without the domain; the whole one belongs into the title. */
  short(name: string): string;
  /** The domain that is left out, with its dot; empty when none is. */
  domain: string;
}

/** Leaves out the domain that most names share (`ip-10-1-4-7.eu-central-1.compute.internal`), as long as each stays its own. */
export function nodeNames(names: readonly string[]): NodeNames {
  const counts = new Map<string, number>();
  for (const name of names) {
    const found = domainOf(name);
    if (found !== "") counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const [domain, n] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  const short = (name: string) => (domainOf(name) === domain ? name.slice(0, name.length - domain.length) : name);
  const apart = new Set(names.map(short)).size === new Set(names).size;
  return n > 1 && apart ? { short, domain } : { short: (name) => name, domain: "" };
}

/** From the first dot on; an address has none. */
function domainOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 1 || !/[a-z]/i.test(name.slice(dot)) ? "" : name.slice(dot);
}
