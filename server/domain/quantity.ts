/** Kubernetes quantities: `4Gi` → bytes, `500m` → cores. */
const SUFFIX: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The number that a quantity stands for, a bare one counted in `unit`; null when it is none. */
export function quantity(value: unknown, unit = 1): number | null {
  if (typeof value === "number" && Number.isFinite(value)) return value * unit;
  if (typeof value !== "string") return null;
  const match = /^([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(value.trim());
  if (!match?.[1]) return null;
  const factor = match[2] === undefined ? unit : SUFFIX[match[2]];
  return factor === undefined ? null : Number(match[1]) * factor;
}

/** `2 GiB`, `1.5 GiB`, `512 MiB`. */
export function bytesText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${trim(gib)} GiB` : `${trim(bytes / 2 ** 20)} MiB`;
}

function trim(value: number): string {
  return String(Math.round(value * 10) / 10);
}
