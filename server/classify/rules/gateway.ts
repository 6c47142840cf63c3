/** Balancers and ingresses in front of the server, as their own error lines and as what clients read of them. */
import type { Rule } from "../rule";
import { agentSaid, answered, CLIENT, gateway, harness, raised, record } from "./examples";

const GATEWAY_SERVER = /nginx|openresty|awselb|envoy|cloudflare|haproxy|traefik|Google Frontend|gws|varnish|caddy/i;
const CLIENT_TEXT = [...CLIENT];
/** SDKs keep only the status of an answer whose body they drop. */
const sdkStatus = (status: number) =>
  new RegExp(`(?:Status(?: code)?: |HTTP |failed: HTTP |API error: HTTP )${status}\\b|\\b${status} Server Error`);

export const GATEWAY: readonly Rule[] = [
  {
    id: "gateway.client_left",
    class: "gateway.client_left",
    when: [
      {
        layer: "gateway",
        message:
          /http: proxy error: context canceled|client (?:prematurely )?closed connection|downstream_remote_disconnect/,
      },
    ],
    confidence: "certain",
    why: "The gateway saw its client go.",
    yes: [gateway("http: proxy error: context canceled")],
    no: [gateway("http: proxy error: EOF")],
  },
  {
    id: "gateway.body_cut",
    class: "transport.stream_truncated",
    when: [
      {
        layer: "gateway",
        message:
          /(?:prematurely closed connection|recv\(\) failed .{0,80}|upstream timed out .{0,80}) ?while reading upstream\b/,
      },
    ],
    confidence: "certain",
    why: "The upstream stopped in the middle of the answer's body.",
    yes: [
      gateway('upstream prematurely closed connection while reading upstream, client: 10.0.0.1, request: "POST /x"'),
    ],
    no: [
      gateway("upstream prematurely closed connection while reading response header from upstream, client: 10.0.0.1"),
    ],
  },
  {
    id: "gateway.connect_failed",
    class: "gateway.connect_failed",
    when: [
      {
        layer: "gateway",
        message:
          /connect\(\) failed|while connecting to upstream|http: proxy error: dial tcp|couldn't dial to remote backend|upstream_reset_before_response_started\{connection_(?:failure|timeout)|connect error: Connection refused|<NOSRV>/,
      },
      {
        layer: CLIENT_TEXT,
        message:
          /disconnect\/reset before headers\. (?:retried and the latest )?reset reason: (?:remote |local )?connection (?:failure|timeout)/,
      },
    ],
    unless: [{ message: /no live upstreams/ }],
    confidence: "certain",
    why: "The gateway could not open a connection to its upstream.",
    yes: [
      gateway("connect() failed (111: Connection refused) while connecting to upstream, client: 10.95.59.1"),
      gateway("http: proxy error: dial tcp 10.61.4.27:44772: connect: connection refused"),
    ],
    no: [gateway("upstream timed out (110: Operation timed out) while reading response header from upstream")],
  },
  {
    id: "gateway.timeout",
    class: "gateway.timeout",
    when: [
      {
        layer: "gateway",
        message:
          /upstream timed out|timeout awaiting response headers|upstream_response_timeout|upstream_per_try_timeout|response_timeout/,
      },
      { layer: CLIENT_TEXT, message: /504 Gateway Time-?out|upstream request timeout|\bGateway Time-?out\b/i },
      { layer: CLIENT_TEXT, kind: ["http", "probe"], status: 504 },
      { layer: CLIENT_TEXT, kind: ["error", "retry", "line"], message: sdkStatus(504) },
    ],
    confidence: "likely",
    why: "The gateway waited for an answer as long as it may.",
    yes: [
      gateway(
        "upstream timed out (110: Operation timed out) while reading response header from upstream, client: 10.95.59.1",
      ),
      answered(504, "<h1>504 Gateway Time-out</h1>"),
    ],
    no: [answered(504, "wait", { code: "KUBERNETES::POD_READY_TIMEOUT" }), agentSaid("504 Gateway Time-out")],
  },
  {
    id: "gateway.stale_upstream",
    class: "gateway.stale_upstream",
    when: [
      {
        layer: "gateway",
        message:
          /prematurely closed connection while reading response header|(?:recv\(\) failed|writev?\(\) failed|send\(\) failed).{0,80}(?:while reading response header|while sending request)|http: proxy error: (?:.{0,200}server closed idle connection|EOF\b|.{0,200}connection reset by peer|.{0,200}broken pipe|unexpected EOF|readLoopPeekFailLocked)/,
      },
      {
        layer: CLIENT_TEXT,
        message: /disconnect\/reset before headers\. (?:retried and the latest )?reset reason: connection termination/,
      },
    ],
    confidence: "likely",
    why: "The upstream closed the connection before any byte of the answer: a kept socket that had died.",
    yes: [
      gateway(
        "upstream prematurely closed connection while reading response header from upstream, client: 192.168.58.11",
      ),
      gateway("http: proxy error: EOF"),
      answered(503, "upstream connect error or disconnect/reset before headers. reset reason: connection termination"),
    ],
    no: [
      gateway("no live upstreams while connecting to upstream"),
      agentSaid("upstream prematurely closed connection while reading response header"),
    ],
  },
  {
    id: "gateway.unavailable",
    class: "gateway.unavailable",
    when: [
      {
        layer: "gateway",
        message:
          /no live upstreams|no_healthy_upstream|no healthy upstream|\{?overflow\}?|sandbox not ready|worker_connections are not enough|no_cluster|route_not_found/,
      },
      {
        layer: CLIENT_TEXT,
        message:
          /503 Service (?:Temporarily )?Unavailable|no healthy upstream|upstream connect error or disconnect\/reset|OpenSandbox Ingress: sandbox not ready/i,
      },
      { layer: CLIENT_TEXT, kind: ["http", "probe"], status: 503 },
      { layer: CLIENT_TEXT, kind: ["error", "retry", "line"], message: sdkStatus(503) },
    ],
    confidence: "likely",
    why: "The gateway had no upstream that it would use.",
    yes: [
      answered(503, "no healthy upstream"),
      gateway("no_healthy_upstream"),
      gateway("no live upstreams while connecting to upstream"),
      answered(503, "OpenSandbox Ingress: sandbox not ready"),
    ],
    no: [answered(503, "busy", { port: 8080 }), agentSaid("503 Service Unavailable")],
  },
  {
    id: "gateway.bad_gateway_body",
    class: "gateway.bad_gateway",
    when: [
      { layer: CLIENT_TEXT, kind: ["http", "probe"], status: 502, serverHeader: GATEWAY_SERVER },
      { layer: CLIENT_TEXT, kind: ["http", "probe"], status: 502, message: /502 Bad Gateway|<html/i },
      { layer: CLIENT_TEXT, kind: ["error", "retry", "finished"], message: /\b502 Bad Gateway\b/i },
      {
        layer: "gateway",
        message:
          /upstream sent (?:too big|invalid|no valid)|ingress: proxy causes panic|upstream_reset_before_response_started\{(?:protocol_error|remote_reset)/,
      },
    ],
    unless: [{ serverHeader: /gunicorn|werkzeug|uvicorn|express|hypercorn/i }],
    confidence: "likely",
    why: "The page or header of a gateway, not of the OpenSandbox server.",
    yes: [
      answered(502, "<head><title>502 Bad Gateway</title></head><center>nginx/1.27.0</center>", { port: 44_772 }),
      record("502 Bad Gateway", { errorType: "DaytonaError" }),
    ],
    no: [
      answered(502, "Could not connect to the backend sandbox endpoint='10.42.3.17:44772' headers=None: "),
      answered(502, "upstream payments unavailable", { port: 8080, serverHeader: "gunicorn" }),
      agentSaid("502 Bad Gateway"),
      raised("APIConnectionError", "502 Bad Gateway"),
    ],
  },
  {
    id: "gateway.bad_gateway_status",
    class: "gateway.bad_gateway",
    when: [
      { layer: CLIENT_TEXT, kind: ["http", "probe"], status: 502, port: 44_772 },
      { layer: CLIENT_TEXT, kind: ["http", "probe"], status: 502 },
      { layer: CLIENT_TEXT, kind: ["error", "retry", "line", "finished"], message: sdkStatus(502) },
      { layer: CLIENT_TEXT, kind: ["error", "retry", "finished"], message: /\bBad Gateway\b/ },
    ],
    subCause: "no_body",
    confidence: "possible",
    why: "A 502 without the server's own body: only the server's access line or body would prove the hop behind it.",
    yes: [answered(502, ""), harness("Failed to run command. Status code: 502")],
    no: [
      answered(502, "x", { port: 8080 }),
      harness("http://203.0.113.9/502 is the URL"),
      harness("order 502 shipped"),
    ],
  },
];
