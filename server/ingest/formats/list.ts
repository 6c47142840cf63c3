/** All formats in the order they are asked: the one that knows its records best first, the one that takes anything last. */
import type { Format } from "../format";
import { agentTrajectory } from "./agent-trajectory";
import { alb } from "./alb";
import { canary } from "./canary";
import { consoleText } from "./console";
import { envoy } from "./envoy";
import { evalCases } from "./eval-cases";
import { eventLines } from "./event-lines";
import { execd } from "./execd";
import { gymRollouts } from "./gym-rollouts";
import { harbor } from "./harbor";
import { inspectEval } from "./inspect-eval";
import { jsonLines } from "./json-lines";
import { kernel } from "./kernel";
import { klog } from "./klog";
import { kubectl } from "./kubectl";
import { kubectlDescribe } from "./kubectl-describe";
import { kubectlEvents } from "./kubectl-events";
import { logfmt } from "./logfmt";
import { miniSweBatch } from "./mini-swe-batch";
import { nginx } from "./nginx";
import { openhands } from "./openhands";
import { opensandboxServer } from "./opensandbox-server";
import { primeRl } from "./prime-rl";
import { pythonLog } from "./python-log";
import { richConsole } from "./rich-console";
import { rllm } from "./rllm";
import { skyrl } from "./skyrl";
import { sweBench } from "./swe-bench";
import { terminalBench } from "./terminal-bench";
import { verifiers } from "./verifiers";
import { verl } from "./verl";

export const FORMATS: readonly Format[] = [
  execd, // JSON with three keys only, and most lines of a fleet
  canary, // our own engine's mark at the head of the line
  gymRollouts, // JSON with Gym's own keys, before anything that takes JSON
  harbor, // JSON that names a trial, or a job with its counts
  sweBench, // JSON with lists of instance ids, or reports by instance
  skyrl, // a trajectory that has a reward, before trajectories without
  agentTrajectory, // JSON with an exit status beside a trajectory
  miniSweBatch, // predictions by instance, or instances by exit status
  inspectEval, // JSON with epochs, or a log's specification
  verifiers, // JSON with traces, or examples that completed
  openhands, // JSON with an instance's test result
  rllm, // JSON with trajectories or items that are correct or not
  terminalBench, // JSON with a failure mode and whether it was resolved
  verl, // JSON with an input, an output, a score and a step
  primeRl, // JSON with a step and means over rollouts
  eventLines, // a name and a kind at its head
  kubectl, // JSON that names a Kubernetes kind
  envoy, // JSON with response flags
  evalCases, // JSON with a case and a score
  opensandboxServer, // a request id in brackets, before other logs with a level and a time
  kubectlEvents, // an age, a type and an object
  kubectlDescribe, // a name alone, with what is told of it below
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
