/** The pages that there are, in the order of the navigation, and the keys that lead to them. */
export interface PageEntry {
  href: string;
  name: string;
  /** Pressed after `g`. */
  key: string;
}

export const PAGES: readonly PageEntry[] = [
  { href: "/", name: "Overview", key: "o" },
  { href: "/runs", name: "Runs", key: "r" },
  { href: "/compare", name: "Compare", key: "v" },
  { href: "/nodes", name: "Nodes", key: "n" },
  { href: "/failures", name: "Failures", key: "f" },
  { href: "/search", name: "Search", key: "s" },
  { href: "/canaries", name: "Canaries", key: "c" },
  { href: "/ingest", name: "Deliveries", key: "d" },
];

/** Is the reader on this page or below it? */
export function isCurrent(page: PageEntry, pathname: string): boolean {
  return page.href === "/" ? pathname === "/" : pathname === page.href || pathname.startsWith(`${page.href}/`);
}
