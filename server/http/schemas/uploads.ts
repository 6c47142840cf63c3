/** What is said of a file that comes in pieces, and what is answered. */
import { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "@/server/domain/errors";
import { UPLOAD_STATES, type Upload, type UploadAnswer } from "@/server/domain/upload";
import { text, zone } from "../params";
import { ingestResult } from "./fleet";
import { at, count } from "./words";

export const newUpload = z.strictObject({
  name: text.meta({ description: "File name." }),
  size: count.meta({ description: "Bytes of the file as it will be sent." }),
  params: z
    .strictObject({
      format: text.default("auto"),
      run: text.optional(),
      source: text.optional(),
      node: text.optional(),
      cluster: text.default("default"),
      tz: zone.optional(),
    })
    .prefault({})
    .meta({ description: "As for POST /ingest/{format}." }),
  encoding: text.optional().meta({ description: "How the file is compressed: gzip, zstd, br." }),
  fingerprint: text
    .optional()
    .meta({ description: "The same name, size, parameters and fingerprint go on with an unfinished upload." }),
});

export const upload: z.ZodType<UploadAnswer> = z
  .object({
    id: z.string(),
    name: z.string(),
    size: count,
    offset: count.meta({ description: "Bytes that are kept; the next piece begins here." }),
    state: z.enum(UPLOAD_STATES),
    run: z.string().nullable(),
    source: z.string(),
    createdAt: at,
    expiresAt: at.meta({ description: "When it is given up unless more comes." }),
    result: ingestResult.nullable(),
    problem: z
      .object({ code: z.enum(Object.keys(ERROR_STATUS) as ErrorCode[]), message: z.string() })
      .nullable()
      .meta({ description: "Why it was refused." }),
  })
  .meta({ id: "Upload" });

export function uploadAnswer({ params, createdAt, expiresAt, ...one }: Upload): UploadAnswer {
  const { id, name, size, offset, state, result, problem } = one;
  const times = { createdAt: new Date(createdAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() };
  return { id, name, size, offset, state, run: params.run, source: params.source, ...times, result, problem };
}
