import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { handle } from "@/server/http/handle";
import type { RealServer } from "../http/real-services";

/** The real API behind a real socket, which can be cut, closed and opened again at the same address. */
export class ApiServer {
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private port = 0;
  /** Deliveries of this name are answered 500 before the API sees them. */
  failsOn: string | null = null;

  constructor(private readonly real: RealServer) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    const server = createServer(async (message, answer) => {
      if (this.failsOn && new URL(message.url ?? "", this.url).searchParams.get("name") === this.failsOn) {
        message.resume();
        answer.writeHead(500, { "content-type": "application/problem+json" });
        answer.end(JSON.stringify({ status: 500, code: "internal", detail: "It broke." }));
        return;
      }
      const init = {
        method: message.method,
        headers: { ...(message.headers as Record<string, string>), host: "127.0.0.1:4180" },
        ...(message.method === "GET" ? {} : { body: Readable.toWeb(message), duplex: "half" }),
      } as RequestInit;
      const response = await handle(new Request(`http://127.0.0.1:4180${message.url}`, init), this.real.services);
      answer.writeHead(response.status, Object.fromEntries(response.headers));
      answer.end(await response.text());
    });
    server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (!server) return;
    this.cut();
    server.close();
    await once(server, "close");
  }
}
