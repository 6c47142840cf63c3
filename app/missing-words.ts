/** What to say where there is nothing, and where to go from there. Pure. */

interface Missing {
  /** In the head line. */
  name: string;
  title: string;
  why: string;
  ways: readonly { name: string; href: string }[];
}

const OVERVIEW = { name: "Overview", href: "/" };
const RUNS = { name: "All runs", href: "/runs" };
const NODES = { name: "All nodes", href: "/nodes" };

type Kind = Omit<Missing, "name" | "title"> & { word: string };

const KINDS: Record<string, Kind> = {
  runs: {
    word: "run",
    why: "It may have been removed, or its name is written differently: runs are listed under their ids.",
    ways: [RUNS, OVERVIEW],
  },
  rollouts: {
    word: "rollout",
    why: "Its run may have been removed, or its delivery was taken back. A run's page lists its rollouts.",
    ways: [RUNS, OVERVIEW],
  },
  nodes: {
    word: "node",
    why: "No evidence that is kept names it. Nodes are named as Kubernetes names them.",
    ways: [NODES, OVERVIEW],
  },
  canaries: {
    word: "canary",
    why: "It may have run on another server, or its files were removed.",
    ways: [{ name: "All canaries", href: "/canaries" }, OVERVIEW],
  },
};

const ANYTHING: Missing = {
  name: "Not found",
  title: "There is nothing here.",
  why: "What was here may have been removed, or its name is written differently. Runs are listed under their ids, nodes as Kubernetes names them.",
  ways: [RUNS, NODES, OVERVIEW],
};

/** `path` is the path that was asked for, percent-encoded, e.g. `/nodes/gpu-7`; null where it is not known. */
export function whatIsMissing(path: string | null): Missing {
  const [, kind = "", id] = path?.split("/") ?? [];
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!known || !id) return ANYTHING;
  const { word, why, ways } = known;
  return { name: "Not found", title: `There is no ${word} “${nameOf(id)}”.`, why, ways };
}

/** Long names are cut. */
function nameOf(id: string): string {
  const name = readable(id);
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}

function readable(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
