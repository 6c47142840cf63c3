/** The address of a node's page, judged by one run or by all. */
export function nodeHref(node: string, run: string | null = null): string {
  return `/nodes/${encodeURIComponent(node)}${run === null ? "" : `?${new URLSearchParams({ run })}`}`;
}
