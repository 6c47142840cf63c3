/** prime-rl's metric lines: means over rollouts that stand in `rollouts/step_<n>/` as verifiers' traces. They are counted, never used. */
import type { Format } from "../format";
import { objectOf } from "./json-fields";

const STEP = /"step"\s*:/;
const METRIC = /"(?:[\w-]+\/)+(?:all|effective)\/[\w/-]+"\s*:|"(?:dispatcher|[\w-]+\/error)\/[\w/-]+"\s*:/;

export const primeRl: Format = {
  name: "prime-rl",
  title: "prime-rl metrics, one step a line (its rollouts are read as verifiers)",
  unit: "line",
  archive: "none",
  accepts(payload) {
    if (
      payload.json === undefined &&
      !(/^\s*\{/.test(payload.text) && STEP.test(payload.text) && METRIC.test(payload.text))
    )
      return false;
    const line = objectOf(payload);
    return line !== null && "step" in line && Object.keys(line).some((name) => METRIC.test(`"${name}":`));
  },
  read: (payload, sink) => sink.routine(payload),
};
