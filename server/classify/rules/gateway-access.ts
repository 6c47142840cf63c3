/** Access lines of gateways: status, time taken, and Envoy's response flags (in `code`). */
import type { Rule } from "../rule";
import { access, gatewayAccess } from "./examples";

const flag = (...names: string[]) => new RegExp(`(?:^|,)(?:${names.join("|")})(?:,|$)`);
const APP_PATH = /\/proxy\/(?!44772\b)\d+(?:\/|\?|$)/;
/** A kept socket that had died answers at once; a process that crashed on the request takes longer. Milliseconds. */
const AT_ONCE_MS = 99.999;
/** The upstream itself answered, as Envoy words it. */
const OWN_ANSWER = /\bvia_upstream\b/;

export const GATEWAY_ACCESS: readonly Rule[] = [
  {
    id: "gateway.app_answer",
    class: "app.response",
    when: [
      { layer: "gateway", kind: "access", path: APP_PATH, message: OWN_ANSWER, status: { min: 400 } },
      { layer: "gateway", kind: "access", path: APP_PATH, code: OWN_ANSWER, status: { min: 400 } },
    ],
    confidence: "likely",
    why: "A program in the sandbox answered so, and the gateway passed it on.",
    yes: [gatewayAccess(503, { path: "/v1/sandboxes/a/proxy/8080/api/items", message: "via_upstream", code: "-" })],
    no: [gatewayAccess(503, { path: "/v1/sandboxes/a/proxy/44772/command", message: "via_upstream", code: "-" })],
  },
  {
    id: "gateway.access_client_left",
    class: "gateway.client_left",
    when: [
      { layer: "gateway", kind: "access", status: [460, 499] },
      { layer: "gateway", kind: "access", code: flag("DC", "DPE") },
    ],
    confidence: "certain",
    why: "The client closed before the answer.",
    yes: [gatewayAccess(499), gatewayAccess(0, { code: "DC" })],
    no: [gatewayAccess(503, { code: "UC" })],
  },
  {
    id: "gateway.access_connect_failed",
    class: "gateway.connect_failed",
    when: [{ layer: "gateway", kind: "access", code: flag("UF") }],
    confidence: "certain",
    why: "Envoy's flag UF: the connection to the upstream failed.",
    yes: [gatewayAccess(503, { code: "UF,URX", durationMs: 10_001 })],
    no: [gatewayAccess(503, { code: "UH" })],
  },
  {
    id: "gateway.access_dns",
    class: "transport.dns",
    when: [{ layer: "gateway", kind: "access", code: flag("DF") }],
    confidence: "certain",
    why: "Envoy's flag DF: the upstream's name was not found.",
    yes: [gatewayAccess(503, { code: "DF" })],
    no: [gatewayAccess(503, { code: "UF" })],
  },
  {
    id: "gateway.access_timeout",
    class: "gateway.timeout",
    when: [
      { layer: "gateway", kind: "access", code: flag("UT", "SI", "DT", "UMSDR") },
      { layer: "gateway", kind: "access", status: 504 },
    ],
    unless: [{ message: OWN_ANSWER }, { code: OWN_ANSWER }],
    confidence: "certain",
    why: "The gateway gave up waiting for its upstream.",
    yes: [gatewayAccess(504, { code: "UT", durationMs: 15_000 }), gatewayAccess(504)],
    no: [gatewayAccess(503), access(504, "/v1/sandboxes")],
  },
  {
    id: "gateway.access_unauthorized",
    class: "control.auth",
    when: [{ layer: "gateway", kind: "access", code: flag("UAEX") }],
    unless: [{ message: /ext_authz_error/ }],
    subCause: "at_gateway",
    confidence: "certain",
    why: "Envoy's flag UAEX: the authorization service in front of the sandbox API refused the request's credentials.",
    yes: [gatewayAccess(403, { code: "UAEX" }), gatewayAccess(401, { code: "UAEX", message: "ext_authz_denied" })],
    no: [gatewayAccess(403, { code: "UAEX", message: "ext_authz_error" }), gatewayAccess(403, { code: "-" })],
  },
  {
    id: "gateway.access_unavailable",
    class: "gateway.unavailable",
    when: [
      {
        layer: "gateway",
        kind: "access",
        code: /(?:^|,)(?:(?<no_healthy_upstream>UH|LH)|(?<overload>UO|OM)|(?<no_route>NR|NC)|(?<rate_limit_service>RLSE)|(?<authorization_service>UAEX))(?:,|$)/,
      },
    ],
    confidence: "certain",
    why: "Envoy had no upstream it could use (none healthy, too many requests, no route), or a service that it asks first failed.",
    yes: [
      gatewayAccess(503, { code: "UH" }),
      gatewayAccess(503, { code: "UO" }),
      gatewayAccess(500, { code: "RLSE" }),
      gatewayAccess(403, { code: "UAEX", message: "ext_authz_error" }),
    ],
    no: [gatewayAccess(429, { code: "RL" }), gatewayAccess(503, { code: "UC" })],
  },
  {
    id: "gateway.access_stale_upstream",
    class: "gateway.stale_upstream",
    when: [
      { layer: "gateway", kind: "access", code: flag("UC"), durationMs: { max: AT_ONCE_MS } },
      { layer: "gateway", kind: "access", status: 502, durationMs: { max: AT_ONCE_MS } },
    ],
    unless: [{ message: OWN_ANSWER }, { code: OWN_ANSWER }],
    confidence: "likely",
    why: "The upstream closed within a tenth of a second: the gateway reused a socket that had died.",
    yes: [gatewayAccess(503, { code: "UC", durationMs: 1 }), gatewayAccess(502, { durationMs: 3 })],
    no: [gatewayAccess(502, { durationMs: 4_000 }), gatewayAccess(502)],
  },
  {
    id: "gateway.access_bad_gateway",
    class: "gateway.bad_gateway",
    when: [
      { layer: "gateway", kind: "access", code: flag("UC", "UR", "LR", "UPE") },
      { layer: "gateway", kind: "access", status: [500, 502] },
      { layer: "gateway", kind: "access", message: OWN_ANSWER, status: { min: 500 } },
    ],
    confidence: "possible",
    why: "The upstream ended the request, or answered 5xx itself; which hop behind it failed, the server's own line tells.",
    yes: [gatewayAccess(502, { durationMs: 4_000 }), gatewayAccess(503, { code: "UR" })],
    no: [gatewayAccess(503, { code: "UH" }), gatewayAccess(200, { code: "-" })],
  },
  {
    id: "gateway.access_503",
    class: "gateway.unavailable",
    when: [{ layer: "gateway", kind: "access", status: 503 }],
    confidence: "possible",
    why: "The gateway said 503 and not why.",
    yes: [gatewayAccess(503)],
    no: [gatewayAccess(502)],
  },
];
