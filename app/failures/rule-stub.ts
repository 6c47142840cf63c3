/** A rule of the operator's own for a message that no rule explains, to be filled in. Pure. */
import type { MessageGroup } from "./group-messages";

/** A rule's pattern may be 500 characters; the beginning of a message tells it apart. */
const MOST_OF_PATTERN = 160;
const MOST_OF_EXAMPLE = 1_000;

/** YAML for the list `rules` of the configuration file. */
export function ruleStub({
  pattern,
  example,
}: Pick<MessageGroup, "pattern"> & { example: { summary: string } }): string {
  const quoted = JSON.stringify;
  return [
    `- id: site.${slugOf(pattern)}`,
    `  match: { regex: ${quoted(regexOf(pattern))} }`,
    "  class: unknown            # put one of /reference/classes here, or none: no failure",
    '  why: "Say why this message proves the class."',
    `  yes: [${quoted(example.summary.slice(0, MOST_OF_EXAMPLE))}]`,
    '  no: ["a message that looks alike and means something else"]',
  ].join("\n");
}

/** What varies between alike messages stands as `#` in their pattern. */
function regexOf(pattern: string): string {
  return pattern
    .slice(0, MOST_OF_PATTERN)
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace(/#/g, "\\S+")
    .replace(/ /g, "\\s+");
}

function slugOf(pattern: string): string {
  const words = pattern.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return words.slice(0, 4).join("-").slice(0, 60) || "message";
}
