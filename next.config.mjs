import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));

/** For every answer; the Content Security Policy of pages needs a nonce each and is set in proxy.ts. */
const headers = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked over the whole project by its own step; a build on a user's machine need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // Native or with process-wide state of their own: loaded from node_modules, not bundled.
  serverExternalPackages: ["better-sqlite3", "@toondepauw/node-zstd", "pino", "prom-client"],
  outputFileTracingRoot: root,
  turbopack: { root },
  // Few, larger files: what every page needs packs better in one, and a page asks for less at first.
  experimental: {
    turbopackChunking: { minChunkSize: 400_000, maxMergeChunkSize: 4_000_000, maxChunkCountPerGroup: 3 },
  },
  headers: async () => [{ source: "/:path*", headers }],
};
