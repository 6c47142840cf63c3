/** The HTTP layer on a real store and the real ingest, in this process. */

import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { BUILT_IN } from "@/server/classify/classifier";
import { settleAll } from "@/server/derive/settle";
import type { AccessToken } from "@/server/domain/access";
import type { Store } from "@/server/domain/store";
import { handle } from "@/server/http/handle";
import type { HttpServices } from "@/server/http/services";
import { ingest } from "@/server/ingest/ingest";
import { rereaderOf } from "@/server/ingest/reread/rereader";
import { Reclassifier } from "@/server/reclassify/reclassifier";
import { Keeper } from "@/server/retention/keeper";

export const HOST = "127.0.0.1:4180";
export const TOKENS: AccessToken[] = [
  { name: "collector", role: "ingest", secret: "ingest-secret-0123456789" },
  { name: "grafana", role: "viewer", secret: "viewer-secret-0123456789" },
  { name: "admin", role: "operator", secret: "operator-secret-0123456789" },
];

export interface RealServer {
  store: Store;
  services: HttpServices;
  /** Calls `path` under `/api/v1`. */
  call(path: string, init?: RequestInit): Promise<Response>;
  json<T>(path: string, init?: RequestInit): Promise<T>;
}

export async function realServer(settings: Partial<HttpServices["settings"]> = {}): Promise<RealServer> {
  const store = await openSqliteStore({ dataDir: ":memory:" });
  const services: HttpServices = {
    settings: { port: 4180, publicUrl: null, tokens: [], maxBodyBytes: 64 * 1024 * 1024, ...settings },
    store,
    ingest: ({ params, body, ...options }) => ingest(store, params, body, { ...options, receivedAt: Date.now() }),
    reclassify: new Reclassifier(store, BUILT_IN, rereaderOf(store, BUILT_IN)),
    retention: new Keeper(store, { days: null }),
    settle: async () => {
      await settleAll(store);
    },
    version: "0.0.0-test",
  };
  const call = (path: string, init: RequestInit = {}) => handle(request(path, init), services);
  return {
    store,
    services,
    call,
    json: async <T>(path: string, init?: RequestInit) => (await call(path, init)).json() as Promise<T>,
  };
}

export function request(path: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", HOST);
  return new Request(`http://${HOST}/api/v1${path}`, { ...init, headers });
}

export function bearer(role: AccessToken["role"]): { authorization: string } {
  return { authorization: `Bearer ${TOKENS.find((token) => token.role === role)?.secret}` };
}
