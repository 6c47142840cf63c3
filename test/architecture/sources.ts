import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** A node of the syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface Import {
  /** As written. */
  specifier: string;
  /** Path under the root for our own files, else null (a package or a Node.js module). */
  target: string | null;
  /** Erased by the compiler: it draws an arrow but runs nothing. */
  typeOnly: boolean;
}

export interface Source {
  /** Path under the root, with slashes. */
  path: string;
  text: string;
  lines: number;
  program: SyntaxNode;
  comments: string[];
  imports: Import[];
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** Visits every node below and including `node`, parents first. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit);
  }
}

function resolveTarget(from: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return posix.normalize(specifier.slice(2));
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier));
  return null;
}

const STATIC = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"];

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const names = node.specifiers;
  if (!Array.isArray(names) || names.length === 0) return false;
  return names.every((name) => isNode(name) && (name.importKind === "type" || name.exportKind === "type"));
}

/** Static and dynamic imports, re-exports, `require`, and worker files named by `new URL("./x", import.meta.url)`. */
function importsOf(path: string, program: SyntaxNode): Import[] {
  const found: Import[] = [];
  const add = (literal: unknown, typeOnly: boolean): void => {
    if (!isNode(literal) || typeof literal.value !== "string") return;
    found.push({ specifier: literal.value, target: resolveTarget(path, literal.value), typeOnly });
  };
  walk(program, (node) => {
    if (STATIC.includes(node.type) && isNode(node.source)) add(node.source, isTypeOnly(node));
    else if (node.type === "ImportExpression") add(node.source, false);
    else if (node.type === "TSImportType") add(node.source ?? node.argument, true);
    else if (node.type === "CallExpression" && isNode(node.callee) && node.callee.name === "require") {
      add((node.arguments as unknown[])[0], false);
    }
  });
  return found;
}

/** Reads and parses one file. Throws when it is no valid TypeScript. */
export function parseSource(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text);
  const first = errors[0];
  if (first !== undefined) throw new Error(`${path}: ${first.message}`);
  const tree = program as unknown as SyntaxNode;
  return {
    path,
    text,
    lines: text.trimEnd().split("\n").length,
    program: tree,
    comments: comments.map((comment) => comment.value),
    imports: importsOf(path, tree),
  };
}

const CODE = /\.(ts|tsx|mts)$/;

/** Every TypeScript file below these folders. */
export function readSources(...folders: string[]): Source[] {
  return folders
    .flatMap(filesUnder)
    .filter((path) => CODE.test(path) && !path.endsWith(".d.ts"))
    .map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}
