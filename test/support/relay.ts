/** A TCP relay that makes a network of loopback: one-way delay, silent drops, resets. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface RelayOptions {
  port: number;
  /** One-way delay in ms, the same each way, FIN included. */
  delayMs?: number;
  /** Bytes sent after this idle time in ms vanish, and nobody is told (a balancer that forgot the flow). */
  dropAfterIdleMs?: number;
  /** Resets the client that sends after this idle time in ms (a balancer that forgot the flow and says so). */
  resetAfterIdleMs?: number;
  /** Resets the client after this many bytes of an answer. */
  resetAfterBytes?: number;
}

export interface Relay {
  port: number;
  close(): Promise<void>;
}

export async function startRelay(options: RelayOptions): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: options.port, host: "127.0.0.1", allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
    }
    couple(client, upstream, options);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function couple(client: Socket, upstream: Socket, options: RelayOptions): void {
  const delay = options.delayMs ?? 0;
  const later = (act: () => void) => (delay > 0 ? setTimeout(act, delay) : act());
  let usedAt = performance.now();
  let forgotten = false;
  let answered = 0;
  const pass = () => {
    const now = performance.now();
    if (options.dropAfterIdleMs !== undefined && now - usedAt >= options.dropAfterIdleMs) forgotten = true;
    usedAt = now;
    return !forgotten;
  };
  client.on("data", (bytes) => {
    if (performance.now() - usedAt >= (options.resetAfterIdleMs ?? Number.POSITIVE_INFINITY)) client.resetAndDestroy();
    else if (pass()) later(() => upstream.writable && upstream.write(bytes));
  });
  upstream.on("data", (bytes) => {
    if (!pass()) return;
    answered += bytes.length;
    const reset = options.resetAfterBytes !== undefined && answered > options.resetAfterBytes;
    later(() => (reset ? client.resetAndDestroy() : client.writable && client.write(bytes)));
  });
  const silent = () => options.dropAfterIdleMs !== undefined && performance.now() - usedAt >= options.dropAfterIdleMs;
  client.on("end", () => later(() => upstream.end()));
  upstream.on("end", () => !silent() && later(() => client.end()));
  client.on("close", () => later(() => upstream.destroy()));
  upstream.on("close", (failed) => failed && !silent() && later(() => client.resetAndDestroy()));
}
