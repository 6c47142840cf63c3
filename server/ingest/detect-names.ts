/** `POST /ingest/{format}`: the name of a format, of an envelope, or `auto`. */
import { CoalmineError } from "@/server/domain/errors";
import type { Envelope, Format } from "./format";

export interface Readers {
  formats: readonly Format[];
  envelopes: readonly Envelope[];
}

export interface ChosenReaders extends Readers {
  /** The only format that may read, when the call names one. */
  format: Format | null;
  /** The only envelope that may open, when the call names one. */
  envelope: Envelope | null;
}

/** Throws `invalid`, listing the known names, when there is no such format or envelope. */
export function chooseReaders(name: string, all: Readers): ChosenReaders {
  if (name === "auto") return { ...all, format: null, envelope: null };
  const format = all.formats.find((one) => one.name === name);
  if (format) return { envelopes: all.envelopes, formats: [format], format, envelope: null };
  const envelope = all.envelopes.find((one) => one.name === name);
  if (envelope) return { envelopes: [envelope], formats: all.formats, format: null, envelope };
  const names = ["auto", ...[...all.formats, ...all.envelopes].map((one) => one.name)].join(", ");
  throw new CoalmineError("invalid", `There is no format named "${name}". Known: ${names}.`);
}
