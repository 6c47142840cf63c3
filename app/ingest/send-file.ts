/** One file to the server. `fetch` cannot tell how much of a body is sent, so this is the older request. */
import { ApiError, apiError } from "@/app/_client/api";
import type { IngestResult } from "@/server/domain/batch";
import { encodingOf } from "./upload-progress";

interface SendFile {
  url: string;
  file: File;
  name: string;
  signal: AbortSignal;
  /** Bytes sent so far. */
  onSent(sent: number): void;
}

/** Resolves when the delivery is durable. Rejects with `ApiError`; after an abort with any error. */
export function sendFile({ url, file, name, signal, onSent }: SendFile): Promise<IngestResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("content-type", "application/octet-stream");
    const encoding = encodingOf(name);
    if (encoding !== null) request.setRequestHeader("content-encoding", encoding);
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300)
        return resolve(JSON.parse(request.responseText) as IngestResult);
      reject(apiError(request.status, request.responseText, request.getResponseHeader("retry-after")));
    };
    request.onerror = () => reject(new ApiError(0, "unreachable", "The connection to the server was lost."));
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
