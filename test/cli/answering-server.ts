import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Seen {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Cut the connection instead of answering. */
  cut?: boolean;
}

/** A real HTTP server that answers as told, one reply per call and the last one for ever, and keeps what it was sent. */
export async function answeringServer(
  ...replies: Reply[]
): Promise<{ url: string; seen: Seen[]; close(): Promise<void> }> {
  const seen: Seen[] = [];
  const server = createServer(async (message, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const url = new URL(message.url ?? "/", "http://127.0.0.1");
    seen.push({ method: message.method ?? "", url, headers: message.headers, body: Buffer.concat(chunks) });
    const reply = replies[Math.min(seen.length, replies.length) - 1] ?? { status: 500 };
    if (reply.cut) return message.socket.destroy();
    answer.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    answer.end(reply.body === undefined ? "" : JSON.stringify(reply.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}
