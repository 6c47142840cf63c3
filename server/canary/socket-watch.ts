/** What each socket went through: when it resolved, connected, was used, and when the peer ended it. */
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { buildConnector } from "undici";

export interface SocketLife {
  localPort: number | null;
  startedAt: number;
  resolvedAt: number | null;
  connectedAt: number | null;
  securedAt: number | null;
  requests: number;
  /** performance.now() of the last byte of the last answer. */
  lastDoneAt: number | null;
  /** The peer's FIN, or the close that followed a reset. */
  endedAt: number | null;
  reset: boolean;
}

const lives = new WeakMap<object, SocketLife>();

export function lifeOf(socket: object): SocketLife | undefined {
  return lives.get(socket);
}

/** undici's connector, with every socket watched from its first moment. `onSocket` hears of each new one. */
export function watchingConnector(
  options: buildConnector.BuildOptions,
  onSocket: (life: SocketLife) => void,
): buildConnector.connector {
  const connect = buildConnector(options);
  return (params, callback) => {
    const life: SocketLife = {
      localPort: null,
      startedAt: performance.now(),
      resolvedAt: null,
      connectedAt: null,
      securedAt: null,
      requests: 0,
      lastDoneAt: null,
      endedAt: null,
      reset: false,
    };
    const made: unknown = connect(params, (...result) => {
      // With TLS the socket handed over is the one that requests run on.
      const socket = result[1];
      if (socket) lives.set(socket, life);
      callback(...result);
    });
    if (isSocket(made)) watch(made, life);
    onSocket(life);
  };
}

function isSocket(made: unknown): made is Socket {
  return typeof made === "object" && made !== null && "once" in made;
}

function watch(socket: Socket, life: SocketLife): void {
  lives.set(socket, life);
  socket.once("lookup", () => {
    life.resolvedAt = performance.now();
  });
  socket.once("connect", () => {
    life.connectedAt = performance.now();
    life.localPort = socket.localPort ?? null;
  });
  socket.once("secureConnect", () => {
    life.securedAt = performance.now();
  });
  socket.prependOnceListener("end", () => {
    life.endedAt ??= performance.now();
  });
  socket.once("error", (error: NodeJS.ErrnoException) => {
    life.reset = error.code === "ECONNRESET";
  });
  socket.once("close", () => {
    life.endedAt ??= performance.now();
  });
}
