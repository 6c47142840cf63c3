/** Transport profiles: how a client keeps connections. All numbers are settings. */

export interface TransportProfile {
  name: string;
  /** Seconds an idle socket may be used again; null = the client library's own default; 0 = never reused. */
  keepaliveExpiryS: number | null;
  /** Sockets at once to one origin. */
  connections: number;
  /** Tries of a TCP connect that failed; nothing that may have reached the server is tried again. */
  connectRetries: number;
  connectTimeoutMs: number;
}

/** undici's own default, used for `keepaliveExpiryS: null`. */
export const LIBRARY_EXPIRY_S = 4;

export const PROFILES = {
  /** Below any server's idle timeout that the field has shown (uvicorn 5 s). */
  bounded: { name: "bounded", keepaliveExpiryS: 3, connections: 512, connectRetries: 2, connectTimeoutMs: 10_000 },
  /** As the OpenSandbox SDKs do by default. */
  unbounded: { name: "unbounded", keepaliveExpiryS: 30, connections: 512, connectRetries: 2, connectTimeoutMs: 10_000 },
  fresh: { name: "fresh", keepaliveExpiryS: 0, connections: 512, connectRetries: 2, connectTimeoutMs: 10_000 },
} as const satisfies Record<string, TransportProfile>;

export type ProfileName = keyof typeof PROFILES;
