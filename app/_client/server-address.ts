/** The address by which the reader reached this server, for commands that they paste elsewhere. Pure. */
export function addressOf(headers: { get(name: string): string | null }): string {
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? "127.0.0.1:4180";
  const told = headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  const protocol = told === "https" || told === "http" ? told : "http";
  // What reaches a command line must be an address and nothing else.
  return /^[A-Za-z0-9.:[\]-]+$/.test(host) ? `${protocol}://${host}` : "http://127.0.0.1:4180";
}
