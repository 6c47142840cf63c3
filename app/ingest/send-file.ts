/** Bytes to the server. `fetch` cannot tell how much of a body is sent, so this is the older request. */
import { ApiError, apiError } from "@/app/_client/api";
import type { IngestResult } from "@/server/domain/batch";
import { encodingOf } from "./upload-progress";

interface SendBytes {
  method: "POST" | "PUT";
  url: string;
  body: Blob;
  /** How the bytes are compressed as a whole; null = not, or it was said before. */
  encoding: string | null;
  signal: AbortSignal;
  /** Bytes sent so far. */
  onSent(sent: number): void;
}

interface SendFile {
  url: string;
  file: File;
  name: string;
  signal: AbortSignal;
  onSent(sent: number): void;
}

/** A whole file as one delivery. Resolves when it is durable. Rejects with `ApiError`; after an abort with any error. */
export function sendFile({ file, name, ...rest }: SendFile): Promise<IngestResult> {
  return sendBytes<IngestResult>({ ...rest, method: "POST", body: file, encoding: encodingOf(name) });
}

/** Resolves to the answer. Rejects with `ApiError`, status 0 when the connection was lost; after an abort with any error. */
export function sendBytes<T>({ method, url, body, encoding, signal, onSent }: SendBytes): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new DOMException("cancelled", "AbortError"));
    if (signal.aborted) return cancelled();
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("content-type", "application/octet-stream");
    if (encoding !== null) request.setRequestHeader("content-encoding", encoding);
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve(JSON.parse(request.responseText) as T);
      reject(apiError(request.status, request.responseText, request.getResponseHeader("retry-after")));
    };
    request.onerror = () => reject(new ApiError(0, "unreachable", "The connection to the server was lost."));
    request.onabort = cancelled;
    const abort = () => request.abort();
    signal.addEventListener("abort", abort, { once: true });
    request.onloadend = () => signal.removeEventListener("abort", abort);
    request.send(body);
  });
}
