/** The product's API without its pages, on a port of its own: the same handler and threads. Prints the port; ends on SIGTERM. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { handle } from "@/server/http/handle";
import { readSettings } from "@/server/settings";
import { openServices } from "@/server/wire";

const [dataDir = "", distDir = ""] = process.argv.slice(2);
const settings = readSettings({ COALMINE_DATA: dataDir, COALMINE_LOG_LEVEL: "error" });
const services = await openServices({ settings, distDir });

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = incoming.method === "POST" ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  const init = { method: incoming.method, headers: incoming.headers as Record<string, string>, body, duplex: "half" };
  const answered = await handle(new Request(`http://127.0.0.1:4180${incoming.url}`, init), services);
  response.writeHead(answered.status, { "content-type": "application/json" });
  response.end(await answered.text());
}

const server = createServer((incoming, response) => void answer(incoming, response));
server.requestTimeout = 0;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void services.close();
});
