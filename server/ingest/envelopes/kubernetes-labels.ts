/** What a pod's labels say about whom its lines are about. Collectors may have turned odd characters of label names into underscores. */
import type { Who } from "../format";
import { isObject, type JsonObject } from "../formats/json-fields";

const SANDBOX_LABEL = /^opensandbox[._]io[/_]id$|^batch[-_]sandbox[._]sandbox[._]opensandbox[._]io[/_]name$/;
const RUN_LABEL = /^nemo[-_]gym[._]nvidia[._]com[/_]run$/;
const OTHER_RUN_LABEL = /(^|\/)run$/;

/** Labels as text; values of another type are left out. */
export function labelsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

export function sandboxOf(labels: Record<string, string>): string | undefined {
  return find(labels, SANDBOX_LABEL);
}

/** The attribution label `<prefix>/run`: the known prefix first, else any. */
export function runOf(labels: Record<string, string>): string | undefined {
  return find(labels, RUN_LABEL) ?? find(labels, OTHER_RUN_LABEL);
}

/** Labels with the sandbox and the run they name; nothing for no labels. */
export function whoFromLabels(value: JsonObject | undefined): Pick<Who, "labels" | "sandbox" | "run"> {
  const labels = labelsOf(value);
  if (Object.keys(labels).length === 0) return {};
  const who: Pick<Who, "labels" | "sandbox" | "run"> = { labels };
  const sandbox = sandboxOf(labels);
  const run = runOf(labels);
  if (sandbox) who.sandbox = sandbox;
  if (run) who.run = run;
  return who;
}

/** `who` without the fields that are undefined. */
export function definedOf(who: Who): Who {
  return Object.fromEntries(Object.entries(who).filter(([, value]) => value !== undefined)) as Who;
}

function find(labels: Record<string, string>, name: RegExp): string | undefined {
  for (const [label, value] of Object.entries(labels)) if (name.test(label) && value !== "") return value;
  return undefined;
}
