/** What is kept of a piece so that its record can be read once its other part is there. */
import type { DeliveryParams } from "@/server/domain/batch";
import type { Piece } from "@/server/domain/pieces";
import type { FormatContext, Payload, Who } from "../format";
import { hashKey, streamId } from "../natural-key";
import { redact } from "../redact";
import type { Made } from "../sink";

/** A line of it, or a record's lines so far. */
export type PieceLine = Pick<Payload, "at" | "text" | "line"> & Partial<Pick<Payload, "level" | "partial" | "part">>;

export interface PieceBody {
  who: Who;
  params: DeliveryParams;
  /** Epoch ms. */
  receivedAt: number;
  lines: PieceLine[];
}

/** Characters of a longer piece; it is not kept. */
const MAX_PIECE = 256 * 1024;

/** Null when there is too much of it, or a line has no time. */
export function pieceOf(
  edge: Piece["edge"],
  payloads: readonly Payload[],
  made: Made,
  context: FormatContext,
): Piece | null {
  const [first, last] = [payloads[0], payloads.at(-1)];
  if (!first || !last || first.at === null || last.at === null) return null;
  if (payloads.reduce((sum, one) => sum + one.text.length, 0) > MAX_PIECE) return null;
  const { params, receivedAt, name, firstPart = 0 } = context;
  const { who } = first;
  const lines = payloads.map(({ at, text, line, level, partial, part }) => ({
    at,
    text: redact(text),
    line,
    level,
    partial,
    part: (part ?? 0) + firstPart,
  }));
  const body: PieceBody = { who, params, receivedAt, lines };
  const stream = streamId(params.cluster, who, params);
  return {
    stream: hashKey([
      stream,
      params.run,
      params.source,
      params.node,
      params.tz,
      params.format,
      params.origin,
      name ?? null,
    ]),
    edge,
    from: first.at,
    nanos: nanosOf(first.time),
    until: last.at,
    run: params.run ?? who.run ?? null,
    origin: params.origin,
    body: JSON.stringify(body),
    ...made,
  };
}

/** Nanoseconds past the millisecond of a time as text; 0 where it says none. */
function nanosOf(time: string | undefined): number {
  const digits = /\.\d{3}(\d{1,6})/.exec(time ?? "")?.[1];
  return digits === undefined ? 0 : Number(digits.padEnd(6, "0"));
}
