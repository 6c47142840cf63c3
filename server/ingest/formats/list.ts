/** All formats in the order they are asked: the one that knows its records best first, the one that takes anything last. */
import type { Format } from "../format";
import { agentTrajectory } from "./agent-trajectory";
import { alb } from "./alb";
import { canary } from "./canary";
import { consoleText } from "./console";
import { envoy } from "./envoy";
import { evalCases } from "./eval-cases";
import { execd } from "./execd";
import { gymRollouts } from "./gym-rollouts";
import { harbor } from "./harbor";
import { jsonLines } from "./json-lines";
import { kernel } from "./kernel";
import { klog } from "./klog";
import { kubectl } from "./kubectl";
import { logfmt } from "./logfmt";
import { nginx } from "./nginx";
import { opensandboxServer } from "./opensandbox-server";
import { pythonLog } from "./python-log";
import { richConsole } from "./rich-console";
import { sweBench } from "./swe-bench";

export const FORMATS: readonly Format[] = [
  execd, // JSON with three keys only, and most lines of a fleet
  canary, // our own engine's mark at the head of the line
  gymRollouts, // JSON with Gym's own keys, before anything that takes JSON
  harbor, // JSON that names a trial
  sweBench, // JSON with lists of instance ids, or reports by instance
  agentTrajectory, // JSON with an exit status beside a trajectory
  kubectl, // JSON that names a Kubernetes kind
  envoy, // JSON with response flags
  evalCases, // JSON with a case and a score
  opensandboxServer, // a request id in brackets, before other logs with a level and a time
  klog, // a level letter and a date without year
  logfmt, // time= level= at its head
  nginx, // its two date layouts
  alb, // a protocol, a time and a balancer
  kernel, // dmesg's clock, or the kernel as its source
  richConsole, // a level behind an emoji
  jsonLines, // any other JSON
  pythonLog, // a time or a level, an exception, a provider's sentence
  consoleText, // anything
];
