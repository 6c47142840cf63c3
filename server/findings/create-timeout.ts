/** A create that is given up before the sandbox had its time to become ready. */

import { configChange } from "./change-lines";
import { configLink } from "./class-facts";
import type { Check } from "./finding";
import { numberIn, readings } from "./known-settings";

/** Room for the way there and back, beyond the ready wait. */
const ROOM_S = 60;

export const createTimeout: Check = (input) => {
  const create = numberIn(input.config, "createTimeout");
  const ready = numberIn(input.config, "readyTimeout");
  const [before] = readings(input.config, "createTimeout");
  if (create === null || ready === null || before === undefined || create > ready) return null;
  return {
    id: "create-timeout",
    run: input.run,
    title: "Creates are given up before sandboxes may be ready",
    severity: "minor",
    text: `A create is given up after ${create} s although a sandbox may take ${ready} s to become ready: slow starts are lost, and may be left behind.`,
    rolloutsAffected: 0,
    winBack: null,
    evidence: [configLink(input)],
    change: configChange([{ id: "createTimeout", before, after: ready + ROOM_S }]),
    canaryPlan: { plan: "burst", options: { cycles: 8 } },
  };
};
