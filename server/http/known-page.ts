/** Is what a page is about there? Asked before the page is begun: once its first bytes are sent, it can no longer answer 404. */
import { CoalmineError } from "@/server/domain/errors";
import type { Store } from "@/server/domain/store";
import { requireRun } from "@/server/queries/run-directory";
import { canariesOf } from "./canaries-of";
import type { HttpServices } from "./services";

type Look = (services: HttpServices, id: string) => Promise<unknown>;

/** Each throws `not_found`, or answers false, for what is not there. */
const LOOKS: Record<string, Look> = {
  runs: ({ store }, run) => requireRun(store, run),
  rollouts: async ({ store }, id) => (await store.rolloutsOfIds([id])).length > 0,
  nodes: ({ store }, node) => isNode(store, node),
  canaries: (services, id) => canariesOf(services).get(id),
};

/** True also where the path is about nothing in particular, and where it cannot be told: the page itself says then what failed. */
export async function isKnownPage(pathname: string, open: () => Promise<HttpServices>): Promise<boolean> {
  const [, kind = "", id, ...rest] = pathname.split("/");
  const look = Object.hasOwn(LOOKS, kind) ? LOOKS[kind] : undefined;
  if (!look || !id || rest.length > 0) return true;
  try {
    return (await look(await open(), decodeURIComponent(id))) !== false;
  } catch (error) {
    return !(error instanceof CoalmineError && error.code === "not_found");
  }
}

/** Listing all nodes is the costly way, so it comes last. */
async function isNode(store: Store, node: string): Promise<boolean> {
  return (
    (await store.countRollouts({ nodes: [node] }, [])).some(({ n }) => n > 0) || (await store.nodes({})).includes(node)
  );
}
