/** All envelopes, most particular first: of two that are equally sure of a body the earlier one is taken. */
import type { Envelope } from "../format";
import { cri } from "./cri";
import { dockerJson } from "./docker-json";
import { fluentBit } from "./fluent-bit";
import { plain } from "./plain";
import { ray } from "./ray";

export const ENVELOPES: readonly Envelope[] = [
  fluentBit, // names itself by its Kubernetes block or date
  dockerJson, // the same `log` key, without either
  cri, // a time, a stream and a tag at the head of each line
  ray, // a worker in brackets
  plain, // anything
];
