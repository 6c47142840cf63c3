import type { RealServer } from "../http/real-services";

let second = 0;
/** One error of a harness with a time of its own: one observation. */
export function line(what: string): string {
  const time = new Date(Date.UTC(2026, 7, 18, 4, 0, second++))
    .toISOString()
    .replace("T", " ")
    .replace(".", ",")
    .slice(0, 23);
  return `${time} ERROR harness.run httpx.ConnectTimeout: sandbox ${what} could not be reached\n`;
}

/** Which sandboxes were told of. */
export async function sandboxesToldOf(real: RealServer): Promise<string[]> {
  const { items } = await real.json<{ items: { id: string }[] }>("/incidents?limit=1000");
  const texts = await Promise.all(
    items.map(async ({ id }) =>
      (await real.json<{ lines: { text: string }[] }>(`/incidents/${id}`)).lines.map((one) => one.text),
    ),
  );
  return [...new Set(texts.flat().map((text) => /sandbox (\S+)/.exec(text)?.[1] ?? text))].sort();
}

/** Records that deliveries brought, and pieces of evidence that are kept: equal when nothing came twice. */
export async function countedIn({ store }: RealServer): Promise<[records: number, kept: number]> {
  const { items } = await store.batches({}, { limit: 1000, cursor: null });
  const kept = await store.countObservations({});
  return [items.reduce((sum, one) => sum + one.records, 0), kept.reduce((sum, one) => sum + one.n, 0)];
}
