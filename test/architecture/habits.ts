import { isNode, type Source, type SyntaxNode, walk } from "./sources";

const CLOCKS = new Set([
  "Date.now",
  "Math.random",
  "performance.now",
  "performance.timeOrigin",
  "crypto.randomUUID",
  "crypto.getRandomValues",
]);
/** Globals that reach outside the function. */
const WORLD = new Set(["process", "fetch", "console", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);
const RANDOM_IMPORTS = new Set(["randomUUID", "randomBytes", "randomInt", "randomFillSync", "randomFill", "webcrypto"]);

function memberName(node: SyntaxNode): string | null {
  if (node.type !== "MemberExpression" || !isNode(node.object) || !isNode(node.property)) return null;
  return `${String(node.object.name)}.${String(node.property.name)}`;
}

function lineAt(source: Source, offset: number): number {
  return source.text.slice(0, offset).split("\n").length;
}

/** Uses of a clock, randomness or the outside world, as `path:line what`. */
export function impurities(source: Source): string[] {
  const found: string[] = [];
  const note = (node: SyntaxNode, what: string): void => {
    found.push(`${source.path}:${lineAt(source, node.start)} ${what}`);
  };
  walk(source.program, (node) => {
    const member = memberName(node);
    if (member !== null && CLOCKS.has(member)) note(node, member);
    if (member?.startsWith("process.") || member?.startsWith("console.")) note(node, member);
    const callee = isNode(node.callee) ? node.callee : null;
    if (node.type === "NewExpression" && callee?.name === "Date" && (node.arguments as unknown[]).length === 0) {
      note(node, "new Date()");
    }
    if (node.type === "CallExpression" && typeof callee?.name === "string") {
      if (WORLD.has(callee.name)) note(node, `${callee.name}()`);
      if (callee.name === "Date") note(node, "Date()");
    }
    if (node.type === "ImportSpecifier" && isNode(node.imported) && RANDOM_IMPORTS.has(String(node.imported.name))) {
      note(node, String(node.imported.name));
    }
  });
  return found;
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/** Functions longer than `most` lines, as `path:line n lines`. */
export function longFunctions(source: Source, most: number): string[] {
  const found: string[] = [];
  walk(source.program, (node) => {
    if (!FUNCTIONS.includes(node.type)) return;
    const first = lineAt(source, node.start);
    const lines = lineAt(source, node.end) - first + 1;
    if (lines > most) found.push(`${source.path}:${first} ${lines} lines`);
  });
  return found;
}

/** A file that passes on what others export: one that has `export *`, or nothing but re-exports. */
export function isBarrel(source: Source): boolean {
  const body = (source.program.body as SyntaxNode[]).filter((node) => node.type !== "ImportDeclaration");
  if (body.some((node) => node.type === "ExportAllDeclaration")) return true;
  const passesOn = (node: SyntaxNode): boolean => node.type === "ExportNamedDeclaration" && !isNode(node.declaration);
  return body.length > 0 && body.every(passesOn);
}

/** `export default`, whichever way it is written. */
export function hasDefaultExport(source: Source): boolean {
  return (source.program.body as SyntaxNode[]).some((node) => node.type === "ExportDefaultDeclaration");
}

/** Lines that write the type `any`. */
export function anyTypes(source: Source): string[] {
  const found: string[] = [];
  walk(source.program, (node) => {
    if (node.type === "TSAnyKeyword") found.push(`${source.path}:${lineAt(source, node.start)}`);
  });
  return found;
}

// Written in two halves, or this file would find itself.
const SILENCERS = new RegExp(
  ["@ts-(?:ignore|expect-error|nocheck)", "biome-ig(?:nore)", "eslint-dis(?:able)"].join("|"),
);
const UNFINISHED = /\b(?:TO(?:DO)|FIX(?:ME)|XX(?:X))\b/;

/** Comments that silence a check or promise work. */
export function silencers(source: Source): string[] {
  return source.comments
    .filter((comment) => SILENCERS.test(comment) || UNFINISHED.test(comment))
    .map((comment) => `${source.path}: ${comment.trim().slice(0, 80)}`);
}
