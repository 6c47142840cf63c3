/** What envelopes say about pods, remembered over one delivery: each pod's links and facts once, its lines counted per hour. */
import type { ArchiveSender } from "@/server/domain/archive";
import type { DeliveryParams } from "@/server/domain/batch";
import { FACT_RANK, type Fact, type Link, type Sighting } from "@/server/domain/facts";
import { makeRef, type Ref } from "@/server/domain/refs";
import type { Who } from "./format";
import { streamId } from "./natural-key";
import { fromEnvelope, type Named } from "./sink-subject";

const HOUR_MS = 3_600_000;
const INSTANCE_LABEL = "instance_id";
const POOL_LABEL = /(?:^|\/)pool-name$/;

/** The label of our own canaries' sandboxes. */
export const CANARY_LABEL = "coalmine-installation";

/** Does anything depend on this label of a sender, besides what its envelope made of it already? */
export function tellsSomething(label: string): boolean {
  return label === INSTANCE_LABEL || label === CANARY_LABEL || POOL_LABEL.test(label);
}

/** Things remembered at a time; past it what is known of them is given out and forgotten. */
const MOST_KNOWN = 20_000;

interface Known {
  who: Who;
  ref: Ref;
  run: string | null;
  /** Least and greatest time of its records in this delivery, epoch ms. */
  first: number | null;
  last: number | null;
  sightings: Map<string, Sighting>;
  /** The sighting of the line before, which most often is that of the next. */
  latest: { format: string; hour: number | null; sighting: Sighting } | null;
}

/** What is known of a sender whose routine records come as bytes. */
export interface RoutineSender {
  who: Who;
  run: string | null;
  stream: string;
  sender: ArchiveSender;
  /** Its place in the book, as long as the book is of this edition. */
  known: unknown;
  edition: number;
}

interface Noted {
  links: Link[];
  facts: Fact[];
  sightings: Sighting[];
}

export class WhoBook {
  private known = new Map<string, Known>();
  /** Known since the last segment was taken. */
  private met: Known[] = [];
  /** What is known of shared senders; null until they are first seen. */
  private shared = new WeakMap<Who, Known | null>();
  private edition = 1;

  constructor(private readonly params: DeliveryParams) {}

  share(who: Who): void {
    this.shared.set(who, null);
  }

  /** Counts one line that `format` read from `who` at `at` (epoch ms). */
  saw(who: Who, run: string | null, format: string, at: number | null): void {
    this.count(this.of(who, run), format, at);
  }

  /** The same for a sender that is remembered. */
  sawRoutine(sender: RoutineSender, format: string, at: number | null): void {
    if (sender.edition !== this.edition) {
      sender.known = this.of(sender.who, sender.run);
      sender.edition = this.edition;
    }
    this.count(sender.known as Known, format, at);
  }

  private count(known: Known, format: string, at: number | null): void {
    if (at !== null) {
      if (known.first === null || at < known.first) known.first = at;
      if (known.last === null || at > known.last) known.last = at;
    }
    const hour = at === null ? null : Math.floor(at / HOUR_MS) * HOUR_MS;
    const latest = known.latest;
    if (latest && latest.hour === hour && latest.format === format) {
      latest.sighting.lines++;
      return;
    }
    const key = `${hour}|${format}`;
    let sighting = known.sightings.get(key);
    if (!sighting) {
      const { ref, run, who } = known;
      sighting = { ref, run, node: who.node ?? this.params.node, format, hour, lines: 0 };
      known.sightings.set(key, sighting);
    }
    sighting.lines++;
    known.latest = { format, hour, sighting };
  }

  /** Links and facts of things met since the last call: what else comes of them is said once, at the end. */
  fresh(): Noted {
    if (this.known.size > MOST_KNOWN) return this.rest();
    const met = this.met;
    this.met = [];
    return { ...this.saying(met), sightings: [] };
  }

  /** Everything, with intervals and counts over the whole delivery; then forgets it. What was said before is said again. */
  rest(): Noted {
    const all = [...this.known.values()];
    this.known = new Map();
    this.edition++;
    this.met = [];
    this.shared = new WeakMap();
    return { ...this.saying(all), sightings: all.flatMap((known) => [...known.sightings.values()]) };
  }

  private saying(things: readonly Known[]): Pick<Noted, "links" | "facts"> {
    return {
      links: things.flatMap((known) => linksOf(known, this.params.cluster)),
      facts: things.flatMap((known) => factsOf(known, this.params)),
    };
  }

  private of(who: Who, run: string | null): Known {
    const remembered = this.shared.get(who);
    if (remembered && remembered.run === run) return remembered;
    const known = this.byIds(who, run);
    if (remembered === null) this.shared.set(who, known);
    return known;
  }

  private byIds(who: Who, run: string | null): Known {
    const pod = who.podUid ?? who.pod ?? who.sandbox;
    // A pool's pod serves one sandbox after the other.
    const key = pod === undefined ? `-|${who.source}|${who.node}|${run}` : `${pod}|${who.sandbox}|${who.node}|${run}`;
    const known = this.known.get(key);
    if (known) return known;
    const ref = thingOf(who, run, this.params);
    const made: Known = { who, ref, run, first: null, last: null, sightings: new Map(), latest: null };
    this.known.set(key, made);
    this.met.push(made);
    return made;
  }
}

function thingOf(who: Who, run: string | null, { cluster, source }: DeliveryParams): Ref {
  const named = fromEnvelope(who);
  if (named.podUid) return makeRef("pod", cluster, named.podUid);
  if (named.podName) return makeRef("podname", cluster, named.podName);
  if (named.sandbox) return makeRef("sandbox", cluster, named.sandbox);
  return makeRef("stream", cluster, streamId(cluster, who, { run, source }).slice(cluster.length + 1));
}

function linksOf({ who, run, first, last }: Known, cluster: string): Link[] {
  const named = fromEnvelope(who);
  const links: Link[] = [];
  const target = podTarget(named, cluster);
  const pooled = Object.keys(who.labels ?? {}).some((label) => POOL_LABEL.test(label));
  const since = pooled ? first : null;
  const until = pooled ? last : null;
  if (named.sandbox) {
    const how = who.sandbox === undefined ? "name" : "label";
    const to = makeRef("sandbox", cluster, named.sandbox);
    if (named.podUid) links.push({ from: makeRef("pod", cluster, named.podUid), to, since, until, how });
    if (named.podName) links.push({ from: makeRef("podname", cluster, named.podName), to, since, until, how });
  } else if (named.podUid && named.podName) {
    const from = makeRef("podname", cluster, named.podName);
    links.push({ from, to: makeRef("pod", cluster, named.podUid), since: null, until: null, how: "uid" });
  }
  if (named.podIp && target && first !== null) {
    const to = named.sandbox ? makeRef("sandbox", cluster, named.sandbox) : target;
    links.push({ from: makeRef("ip", cluster, named.podIp), to, since: first, until: last, how: "ip" });
  }
  const instance = who.labels?.[INSTANCE_LABEL];
  if (instance && named.sandbox) {
    const to = makeRef("sandbox", cluster, named.sandbox);
    links.push({ from: instanceRef(cluster, run, instance), to, since: first, until: last, how: "label" });
  }
  return links;
}

function podTarget(named: Named, cluster: string): Ref | null {
  if (named.podUid) return makeRef("pod", cluster, named.podUid);
  return named.podName ? makeRef("podname", cluster, named.podName) : null;
}

/** The task that a sandbox was labelled with; label values are cut and cleaned, so the same is done to names from elsewhere. */
export function instanceRef(cluster: string, run: string | null, instance: string): Ref {
  return makeRef("instance", cluster, `${run ?? "-"}/${labelValue(instance)}`);
}

/** As harnesses turn a name into a Kubernetes label value: odd characters become one `_`, 63 characters at most. */
export function labelValue(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_.-]+/g, "_").replace(/^[._-]+|[._-]+$/g, "");
  return clean.slice(0, 63).replace(/[._-]+$/, "");
}

function factsOf({ who, run, last }: Known, params: DeliveryParams): Fact[] {
  const named = fromEnvelope(who);
  const { cluster } = params;
  const ref = named.sandbox ? makeRef("sandbox", cluster, named.sandbox) : podTarget(named, cluster);
  if (ref === null) return [];
  const values = { node: who.node ?? params.node, run, podName: named.podName };
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" ? [{ ref, name, value, rank: FACT_RANK.envelope, at: last }] : [],
  );
}
