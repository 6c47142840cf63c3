/** Notes what stands at both ends of each stream in a delivery: lines that may go on from, or into, another delivery. */
import type { Piece } from "@/server/domain/pieces";
import type { Format, FormatContext, Payload } from "../format";
import type { Made } from "../sink";
import { pieceOf } from "./piece-body";

/** Lines at the beginning of a stream of which any may belong to the record before. */
const MOST_LEADING = 2_000;
/** Streams; in a delivery of more no ends are noted. */
const MOST_STREAMS = 20_000;
/** What a record's later lines look like where a format would read them alone: indented, or what was raised. Levels look alike. */
const LATER =
  /^(?:\s+\S|[}\])]|Traceback \(most|The above exception|During handling of|(?![A-Z]+:)(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?::|$))/;

/** How records begin, most of them; what else comes first may be the rest of a line that was cut in two. */
const BEGINS = /^(?:\[?\d{4}[-/]\d\d|\{"|\[?(?:TRACE|DEBUG|INFO|WARN|ERROR|CRITICAL|FATAL)|[IWEF]\d{4} |time=)/;

interface Edge {
  payloads: Payload[];
  made: Made;
}

export class StreamEdges {
  /** Lines that a stream began with, as long as nothing else came; null once a record surely began. */
  private readonly starts = new Map<string, Edge | null>();
  private readonly tails: Edge[] = [];
  private readonly heads = new Map<string, Edge>();
  private latest = "";

  constructor(private readonly context: FormatContext) {}

  /** Where what is read of the stream's leading lines is noted; null when it is past them. */
  leading(stream: string): Made | null {
    return stream === this.latest ? null : (this.starts.get(stream)?.made ?? null);
  }

  /** A line that the format of the record before it took. */
  goesOn(stream: string, payload: Payload): void {
    if (stream !== this.latest) this.starts.get(stream)?.payloads.push(payload);
  }

  /** A line that no record before it took. */
  begins(stream: string, payload: Payload, format: Format | null): Made | null {
    if (stream === this.latest) return null;
    const start = this.starts.get(stream);
    if (start === null) {
      this.latest = stream;
      return null;
    }
    const mayGoOn = format === null || LATER.test(payload.text) || (start === undefined && !BEGINS.test(payload.text));
    const isKept = payload.at !== null && payload.json === undefined && (start?.payloads.length ?? 0) < MOST_LEADING;
    if (!mayGoOn || !isKept) {
      this.inside(stream);
      return null;
    }
    const edge = start ?? newEdge();
    edge.payloads.push(payload);
    this.starts.set(stream, edge);
    return edge.made;
  }

  /** A record began here that is surely none of before. */
  inside(stream: string): void {
    if (stream === this.latest) return;
    this.latest = stream;
    const start = this.starts.get(stream);
    if (start === null) return;
    if (start) this.tails.push(start);
    this.starts.set(stream, null);
  }

  /** What waits for its next line when the delivery ends; of one stream first an unfinished line, then the record before it. */
  ends(stream: string, payload: Payload): Made | null {
    if (payload.at === null || payload.json !== undefined) return null;
    const start = this.starts.get(stream);
    if (start) {
      if (payload.partial) start.payloads.push(payload);
      return start.made;
    }
    const isNew = start === undefined;
    const edge = (isNew ? undefined : this.heads.get(stream)) ?? newEdge();
    edge.payloads.unshift(payload);
    if (isNew) this.starts.set(stream, edge);
    else this.heads.set(stream, edge);
    return edge.made;
  }

  close(): Piece[] {
    if (this.starts.size > MOST_STREAMS) return [];
    const middles = [...this.starts.values()].filter((edge) => edge !== null);
    return [
      ...this.tails.flatMap((edge) => this.piece("tail", edge)),
      ...middles.flatMap((edge) => this.piece("middle", edge)),
      ...[...this.heads.values()].flatMap((edge) => this.piece("head", edge)),
    ];
  }

  private piece(edge: Piece["edge"], { payloads, made }: Edge): Piece[] {
    const piece = pieceOf(edge, payloads, made, this.context);
    return piece ? [piece] : [];
  }
}

function newEdge(): Edge {
  return { payloads: [], made: { keys: [], rejects: [] } };
}
