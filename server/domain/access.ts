/** `ingest` may only send, `viewer` only read, `operator` may do both and change things. */
export const TOKEN_ROLES = ["ingest", "viewer", "operator"] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

export interface AccessToken {
  /** Shown in logs instead of the secret. */
  name: string;
  role: TokenRole;
  secret: string;
}
