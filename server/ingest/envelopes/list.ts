/** All envelopes, most particular first: of two that are equally sure of a body the earlier one is taken. */
import type { Envelope } from "../format";
import { cloudwatch } from "./cloudwatch";
import { cri } from "./cri";
import { dockerJson } from "./docker-json";
import { elastic } from "./elastic";
import { fluentBit } from "./fluent-bit";
import { googleLogging } from "./google-logging";
import { journal } from "./journal";
import { kubectlPrefix } from "./kubectl-prefix";
import { lokiJson } from "./loki-json";
import { otlpJson } from "./otlp-json";
import { plain } from "./plain";
import { ray } from "./ray";
import { stern } from "./stern";
import { syslog } from "./syslog";
import { vector } from "./vector";

export const ENVELOPES: readonly Envelope[] = [
  otlpJson, // a document that names itself
  lokiJson, // the same
  cloudwatch, // the same
  googleLogging, // a text or JSON payload beside the resource that wrote it
  elastic, // a pod within a Kubernetes block, where the next two have the pod's fields
  journal, // a machine's program beside its host, also as Fluent Bit and Vector write it
  fluentBit, // a Kubernetes block or date beside the log
  vector, // its own names for the same
  dockerJson, // the same `log` key as Fluent Bit, without either
  cri, // a time, a stream and a tag at the head of each line
  stern, // its own names for pod and container
  kubectlPrefix, // a pod in brackets, or a time with nine digits and no stream after it
  syslog, // a time, a host and a program
  ray, // a worker in brackets
  plain, // anything
];
