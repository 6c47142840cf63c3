import type { CountedFamily } from "../families";
import { FAMILY_ORDER } from "../families";

/** The textures of marks.css for SVG, inside the picture so that it can be saved alone. `prefix` keeps two pictures apart. */
export function FamilyPatterns({ prefix }: { prefix: string }) {
  return (
    <defs>
      {FAMILY_ORDER.map((family) => (
        <pattern key={family} id={patternId(prefix, family)} width={4} height={4} patternUnits="userSpaceOnUse">
          <rect width={4} height={4} style={{ fill: `var(--f-${family})` }} />
          <Texture family={family} />
        </pattern>
      ))}
    </defs>
  );
}

export function patternId(prefix: string, family: CountedFamily): string {
  return `${prefix}-${family}`;
}

const LINES: Partial<Record<CountedFamily, string>> = {
  disconnect: "M-1 1 L1 -1 M0 4 L4 0 M3 5 L5 3",
  startup: "M1 0 V4",
  scheduling: "M0 1 H4",
  node: "M-1 3 L1 5 M0 0 L4 4 M3 -1 L5 1",
};

function Texture({ family }: { family: CountedFamily }) {
  if (family === "proxy") return <circle cx={2} cy={2} r={0.9} style={{ fill: "var(--hatch)" }} />;
  const lines = LINES[family];
  if (lines === undefined) return null;
  return <path d={lines} style={{ stroke: "var(--hatch)", strokeWidth: 1.1, fill: "none" }} />;
}
