/** Takes secrets out of text before anything is stored. Words and counts stay: `tokens: 123`, `invalid token`, `max_tokens=512`. */
import type { ConfigValue, FlatConfig } from "@/server/domain/rollout";

export const REDACTED = "[redacted]";

/** Text without any of these holds no secret that we know; most lines end here. */
const SIGN =
  /key|token|secret|passw|passphrase|pwd|auth|bearer|basic|credential|cookie|access|:\/\/[^\s/]*@|AKIA|ASIA|eyJ|sk-|gh[pousr]_|github_pat|glpat-|xox[a-z]-|hf_|nvapi-|AIza|PRIVATE KEY|^[\t ]*[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{6})?\s*$/im;

/** A name that holds a secret: the last part of `OPEN-SANDBOX-API-KEY`, `opensandbox.io/secure-access-token`, `clientSecret`. */
const SECRET_NAME =
  "(?:api[-_ ]?key|access[-_]?key(?:[-_]?id)?|secret[-_]?access[-_]?key|secret[-_]?key|private[-_]?key|ssh[-_]?key|signing[-_]?key|encryption[-_]?key|account[-_]?key|license[-_]?key|secret|password|passwd|passphrase|pwd|token|secure[-_]?access|egress[-_]?auth|authorization|credentials?|set[-_]cookie|cookie)";

/** What stands before a name needs no pattern: one that began anywhere in a long word would be tried from each of its letters. */

/** `"name": "value"`, also escaped (up to four times) inside JSON text, and Python's `'name': 'value'` and `name='value'`. */
const QUOTED = new RegExp(
  `(${SECRET_NAME}(?:\\\\{0,15}["'])?\\s*(?::|=>?)\\s*)(\\\\{0,15}["'])((?:(?!(?<!\\\\)\\2)[^\\n])*)(?<!\\\\)\\2`,
  "gi",
);
/** `name=value`, `name: value`, `--name value`. */
const BARE = new RegExp(
  `((${SECRET_NAME})(?:\\\\{0,15}["'])?(?:\\s*(?::|=>?)\\s*|(?<=--[\\w-]{0,100})\\s+))(?!\\\\{0,15}["'[{(])((?:(?:bearer|basic|digest|token)\\s+)?[^\\s,;&"'\\\\}\\])<>]+)`,
  "gi",
);
/** Kubernetes' `{"name": "API_KEY", "value": "…"}`. */
const NAMED_VALUE = new RegExp(
  `(\\\\{0,15}["']name\\\\{0,15}["']\\s*:\\s*\\\\{0,15}["'][\\w./-]*${SECRET_NAME}\\\\{0,15}["']\\s*,\\s*\\\\{0,15}["']value\\\\{0,15}["']\\s*:\\s*)(\\\\{0,15}["'])((?:(?!(?<!\\\\)\\2)[^\\n])*)(?<!\\\\)\\2`,
  "gi",
);
const SCHEME = /\b(bearer|basic)(\s+)(?=[^\s"',;]*\d|[^\s"',;]{24})[\w.~+/=-]{8,}/gi;
const USERINFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>]+@/gi;
const TOKENS =
  /\b(?:(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}|eyJ[\w-]{8,500}\.[\w-]{8,}\.[\w-]*|sk-[\w-]{20,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|hf_\w{20,}|nvapi-[\w-]{20,}|AIza[\w-]{35})/g;
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** A line of a key's body alone: 64 characters in a PEM file, 70 in OpenSSH's. A digest in hex is none. */
const PEM_LINE = /^([\t ]*)(?=[A-Fa-f0-9]*[G-Zg-z+/])(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70})(?=\s*$)/gm;

const NO_SECRET = /^(?:null|none|nil|undefined|true|false|\*+|\[?redacted\]?|<[^>]*>|-?\d{1,12}(?:\.\d+)?)$/i;

/** Tokens (ASCII letters and digits, lower-cased) of which every text has one that `SIGN` finds, but for those with an `@`. */
const SUSPICIOUS =
  /key|token|secret|passw|passphrase|pwd|auth|bearer|basic|credential|cookie|access|akia|asia|agpa|aida|aroa|eyj|glpat|xox|nvapi|aiza|^(?:sk|hf|gh[pousr]|pat)$/;

/** Could a text with this token hold a secret? A text without any such token, and without `@`, is one that `redact` leaves as it is. */
export function isSuspicious(token: string): boolean {
  return SUSPICIOUS.test(token);
}

/** The text with each secret value replaced by `[redacted]`; redacting twice changes nothing more. */
export function redact(text: string): string {
  if (!SIGN.test(text)) return text;
  return text
    .replace(PEM, REDACTED)
    .replace(PEM_LINE, `$1${REDACTED}`)
    .replace(NAMED_VALUE, (_all, before: string, quote: string) => `${before}${quote}${REDACTED}${quote}`)
    .replace(QUOTED, (all: string, before: string, quote: string, value: string) =>
      value === "" || NO_SECRET.test(value) ? all : `${before}${quote}${REDACTED}${quote}`,
    )
    .replace(BARE, bare)
    .replace(SCHEME, (_all, scheme: string, gap: string) => `${scheme}${gap}${REDACTED}`)
    .replace(USERINFO, (_all, scheme: string) => `${scheme}${REDACTED}@`)
    .replace(TOKENS, REDACTED);
}

/** Prose says "token: expected" and "authorization: denied"; only what looks made by a machine, or a password, is a secret there. */
function bare(all: string, before: string, name: string, value: string): string {
  if (NO_SECRET.test(value) || value.startsWith(REDACTED.slice(0, -1))) return all;
  const isWord = /^[A-Za-z][a-z]{0,14}[.:!?]?$/.test(value);
  const soft = /(?:token|authorization|credentials?|cookie|secure[-_]?access|egress[-_]?auth)$/i.test(name);
  return isWord && soft ? all : `${before}${REDACTED}`;
}

const SECRET_KEY = new RegExp(`${SECRET_NAME}$`, "i");

/** Does a setting of this name hold a secret? Judges the last part of the path only. */
export function isSecretName(path: string): boolean {
  return SECRET_KEY.test(path);
}

/** Settings with secret values replaced, by their names and by what the values look like. */
export function redactConfig(config: FlatConfig): FlatConfig {
  return Object.fromEntries(Object.entries(config).map(([path, value]) => [path, redactSetting(path, value)]));
}

function redactSetting(path: string, value: ConfigValue): ConfigValue {
  if (typeof value !== "string") return value;
  return value !== "" && isSecretName(path) && !NO_SECRET.test(value) ? REDACTED : redact(value);
}

/** Every string in a flat object of typed evidence, redacted. */
export function redactFields<T extends object>(fields: T): T {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") copy[name] = redact(value);
    else if (Array.isArray(value)) copy[name] = value.map((item) => (typeof item === "string" ? redact(item) : item));
    else if (value !== undefined) copy[name] = value;
  }
  return copy as T;
}
