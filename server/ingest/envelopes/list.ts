/** All envelopes, most particular first: of two that are equally sure of a body the earlier one is taken. */
import type { Envelope } from "../format";
import { cri } from "./cri";
import { dockerJson } from "./docker-json";
import { fluentBit } from "./fluent-bit";
import { kubectlPrefix } from "./kubectl-prefix";
import { lokiJson } from "./loki-json";
import { otlpJson } from "./otlp-json";
import { plain } from "./plain";
import { ray } from "./ray";
import { syslog } from "./syslog";
import { vector } from "./vector";

export const ENVELOPES: readonly Envelope[] = [
  otlpJson, // a document that names itself
  lokiJson, // the same
  fluentBit, // a Kubernetes block or date beside the log
  vector, // its own names for the same
  dockerJson, // the same `log` key as Fluent Bit, without either
  cri, // a time, a stream and a tag at the head of each line
  kubectlPrefix, // a pod in brackets, or a time with nine digits and no stream after it
  syslog, // a time, a host and a program
  ray, // a worker in brackets
  plain, // anything
];
