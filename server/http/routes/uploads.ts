/** Large files come in pieces here, and go on where they stopped. */
import { z } from "zod";
import { CoalmineError } from "@/server/domain/errors";
import type { UploadService } from "@/server/domain/upload";
import { problemOf } from "../problem";
import { bodyOf } from "../read-body";
import { defineRoute, Reply, type Route } from "../route";
import { newUpload, upload, uploadAnswer } from "../schemas/uploads";
import type { HttpServices } from "../services";

const nothing = z.strictObject({});

export const uploadRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "/uploads",
    need: "ingest",
    operation: "createUpload",
    summary: "Begins to send a large file in pieces, or finds the unfinished upload of the same file.",
    query: nothing,
    body: newUpload,
    answer: { description: "The upload; send the rest from `offset`.", schema: upload },
    async handle({ body: { name, size, params, encoding, fingerprint }, services }) {
      const { run = null, source = name, node = null, tz = null, ...rest } = params;
      const said = { ...rest, run, source, node, tz, origin: "fleet" as const };
      const asked = { name, size, params: said, encoding: encoding ?? null, fingerprint: fingerprint ?? null };
      return uploadAnswer(await uploadsOf(services).create(asked));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/uploads",
    need: "ingest",
    operation: "listUploads",
    summary: "Unfinished uploads and those of the last day, newest first.",
    query: nothing,
    answer: { description: "Uploads.", schema: upload, list: true },
    handle: async ({ services }) => ({ items: uploadsOf(services).list().map(uploadAnswer), next: null }),
  }),
  defineRoute({
    method: "GET",
    path: "/uploads/{id}",
    need: "ingest",
    operation: "getUpload",
    summary: "How much of an upload is kept, and what became of it.",
    query: nothing,
    answer: { description: "The upload.", schema: upload },
    handle: async ({ path, services }) => uploadAnswer(uploadsOf(services).get(path.id ?? "")),
  }),
  defineRoute({
    method: "PUT",
    path: "/uploads/{id}",
    need: "ingest",
    operation: "appendUpload",
    summary: "Appends raw bytes, as they are in the file. What comes before a connection breaks is kept.",
    query: z.strictObject({
      offset: z
        .string()
        .regex(/^\d{1,15}$/, "must be a whole number of bytes")
        .transform(Number)
        .meta({ description: "Where these bytes begin: the upload's own offset, else conflict with the right one." }),
    }),
    body: "raw",
    answer: { description: "The upload; read by itself when it is whole.", schema: upload },
    async handle({ path, query, request, services }) {
      const uploads = uploadsOf(services);
      const id = path.id ?? "";
      try {
        return uploadAnswer(await uploads.append(id, query.offset, bodyOf(request)));
      } catch (error) {
        if (!(error instanceof CoalmineError) || error.code !== "conflict") throw error;
        const headers = { "content-type": "application/problem+json" };
        return new Reply({ ...problemOf(error), offset: uploads.get(id).offset }, { status: 409, headers });
      }
    },
  }),
  defineRoute({
    method: "POST",
    path: "/uploads/{id}/complete",
    need: "ingest",
    operation: "completeUpload",
    summary: "Waits until a whole upload is read. The same bytes as an earlier delivery change nothing.",
    query: nothing,
    answer: { description: "The upload with its result, durable and derived.", schema: upload },
    handle: async ({ path, services }) => uploadAnswer(await uploadsOf(services).complete(path.id ?? "")),
  }),
  defineRoute({
    method: "DELETE",
    path: "/uploads/{id}",
    need: "ingest",
    operation: "deleteUpload",
    summary: "Gives an upload up; what is kept of it goes.",
    query: nothing,
    answer: { description: "The upload as it was.", schema: upload },
    async handle({ path, services }) {
      const uploads = uploadsOf(services);
      const last = uploads.get(path.id ?? "");
      await uploads.remove(last.id);
      return uploadAnswer(last);
    },
  }),
];

function uploadsOf({ uploads }: HttpServices): UploadService {
  if (uploads) return uploads;
  throw new CoalmineError("unavailable", "This process keeps no uploads.");
}
