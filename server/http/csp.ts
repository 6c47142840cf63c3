/** Content Security Policy of the pages: scripts by nonce only, nothing from elsewhere. Pure. */

/** `development`: React's error stacks need eval, and its style sheets come as inline text. */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  const own = `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'self'",
    `script-src ${own} 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src ${development ? "'self' 'unsafe-inline'" : own}`,
    // Charts and virtual lists place their parts by style attributes; those can load and run nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
