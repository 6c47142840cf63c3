/** A large file piece by piece: goes on where it stopped, after a lost connection, a restart or a reload of the page. */
import { ApiError, apiUrl, change, getJson } from "@/app/_client/api";
import type { IngestResult } from "@/server/domain/batch";
import type { UploadAnswer } from "@/server/domain/upload";
import { fingerprintOf } from "./file-fingerprint";
import { sendBytes } from "./send-file";
import { encodingOf } from "./upload-progress";

export const PIECE_BYTES = 16 * 1024 * 1024;
/** Tries in a row that bring nothing; the waits between them add up to some minutes. */
const MOST_TRIES = 12;
const MOST_WAIT_S = 30;

export interface PieceCalls {
  create(asked: object): Promise<UploadAnswer>;
  get(id: string): Promise<UploadAnswer>;
  put(id: string, offset: number, body: Blob, onSent: (sent: number) => void): Promise<UploadAnswer>;
  complete(id: string): Promise<UploadAnswer>;
}

export interface SendPieces {
  file: File;
  name: string;
  target: { run: string | null; source: string | null };
  signal: AbortSignal;
  /** Bytes that are at the server so far. */
  onSent(sent: number): void;
  calls?: PieceCalls;
  pieceBytes?: number;
  /** Seconds before the first new try; it doubles. */
  waitS?: number;
}

/** Resolves when the delivery is durable. Rejects with `ApiError`; after an abort with any error: what was sent stays at the server. */
export async function sendPieces({ calls, ...sent }: SendPieces): Promise<IngestResult> {
  const { file, name, target, signal, onSent, pieceBytes = PIECE_BYTES } = sent;
  const server = calls ?? browserCalls(signal);
  const again = retrying(signal, sent.waitS ?? 1);
  const params = { run: target.run ?? undefined, source: target.source ?? undefined };
  const fingerprint = await fingerprintOf(file);
  const asked = { name, size: file.size, params, encoding: encodingOf(name) ?? undefined, fingerprint };
  const upload = await again(() => server.create(asked));
  for (let at = upload.offset; at < file.size; ) {
    onSent(at);
    const from = at;
    const piece = file.slice(from, from + pieceBytes);
    at = await again(() => onePiece(server, upload.id, { from, piece }, (bytes) => onSent(from + bytes)));
  }
  onSent(file.size);
  const { result } = await again(() => server.complete(upload.id));
  if (result === null) throw new ApiError(500, "internal", "The server told no result.");
  return result;
}

/** Returns where the next piece begins, also when another piece was expected. */
async function onePiece(
  server: PieceCalls,
  id: string,
  { from, piece }: { from: number; piece: Blob },
  onSent: (sent: number) => void,
): Promise<number> {
  try {
    return (await server.put(id, from, piece, onSent)).offset;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
    const { offset } = await server.get(id);
    // Nothing new is at the server: another sender may be at it, so wait as for a busy one.
    if (offset === from) throw new ApiError(503, "unavailable", error.message);
    return offset;
  }
}

function retrying(signal: AbortSignal, firstS: number) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const passing = error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status);
        if (!passing || signal.aborted || tries >= MOST_TRIES) throw error;
        await pause(error.retryAfterS ?? Math.min(MOST_WAIT_S, firstS * 2 ** (tries - 1)), signal);
      }
    }
  };
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      if (signal.aborted) reject(new DOMException("cancelled", "AbortError"));
      else resolve();
    };
    const timer = setTimeout(over, seconds * 1000);
    if (signal.aborted) over();
    else signal.addEventListener("abort", over);
  });
}

function browserCalls(signal: AbortSignal): PieceCalls {
  const at = (id: string, more = "") => apiUrl(`/uploads/${encodeURIComponent(id)}${more}`);
  return {
    create: async (asked) => (await change<UploadAnswer>("POST", apiUrl("/uploads"), asked)) as UploadAnswer,
    get: (id) => getJson<UploadAnswer>(at(id), signal),
    put: (id, offset, body, onSent) =>
      sendBytes({ method: "PUT", url: `${at(id)}?offset=${offset}`, body, encoding: null, signal, onSent }),
    complete: async (id) => (await change<UploadAnswer>("POST", at(id, "/complete"))) as UploadAnswer,
  };
}
