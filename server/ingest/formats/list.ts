/** All formats in the order they are asked: the one that knows its records best first, the one that takes anything last. */
import type { Format } from "../format";
import { consoleText } from "./console";
import { execd } from "./execd";
import { gymRollouts } from "./gym-rollouts";
import { jsonLines } from "./json-lines";
import { kubectl, kubectlLines } from "./kubectl";
import { opensandboxServer } from "./opensandbox-server";
import { pythonLog } from "./python-log";

export const FORMATS: readonly Format[] = [
  kubectl, // a whole document that names its kind
  execd, // JSON with three keys only, and most lines of a fleet
  gymRollouts, // JSON with Gym's own keys, before anything that takes JSON
  kubectlLines, // JSON that names a Kubernetes kind
  opensandboxServer, // a request id in brackets, before other logs with a level and a time
  jsonLines, // any other JSON
  pythonLog, // a time or a level, an exception, a provider's sentence
  consoleText, // anything
];
