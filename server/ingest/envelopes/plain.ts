import type { Envelope } from "../format";

/** No envelope at all: each line is its own payload. Always possible, never more likely than one that matches. */
export const plain: Envelope = {
  name: "plain",
  detect: () => 0.01,
  open: (line, lineNumber) => ({ payloads: [{ who: {}, at: null, text: line, line: lineNumber }] }),
};
