/** Where to go after signing in: a path of this site, whatever the link said. Pure. */
export function safeNext(given: string | string[] | undefined): string {
  if (typeof given !== "string") return "/";
  // Browsers read `//host` and `/\host` as another site.
  return /^\/(?![/\\])[^\s\\]*$/.test(given) && !given.startsWith("/sign-in") ? given : "/";
}
