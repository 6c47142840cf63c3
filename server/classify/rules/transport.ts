/** Faults of a connection between client and server, when no cause beneath and no kept socket explains them. */
import type { Rule } from "../rule";
import { agentSaid, CLIENT, harness, probe, raised, record } from "./examples";
import { told } from "./told";
import {
  CONNECT_TIMEOUT,
  CONNECT_TIMEOUT_TYPE,
  REFUSED,
  REFUSED_TYPE,
  REQUEST_TIMEOUT,
  REQUEST_TIMEOUT_TYPE,
  RESET,
  RESET_TYPE,
} from "./transport-tokens";

const awaiting = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

/** Judged after the keep-alive rules. */
export const TRANSPORT: readonly Rule[] = [
  {
    id: "transport.request_timeout",
    class: "transport.request_timeout",
    when: [
      ...told(
        { layer: CLIENT },
        {
          text: REQUEST_TIMEOUT,
          type: REQUEST_TIMEOUT_TYPE,
          code: /^(UND_ERR_(?:HEADERS|BODY)_TIMEOUT|TIMEOUT|TimeoutError|ABORT_ERR)$/,
        },
      ),
      { layer: "harness", kind: ["error", "retry"], errorType: "TimeoutError", operation: /./ },
      { layer: CLIENT, message: /Hit an exception while making a request \(try \d+\).{0,200}TimeoutError/ },
      { layer: CLIENT, kind: ["http", "probe"], status: 408 },
    ],
    confidence: "possible",
    why: "The client's own deadline passed while it waited for the answer.",
    yes: [
      harness(awaiting, { reusedSocket: false }),
      raised("ReadTimeout", ""),
      harness("Timed out during OpenSandbox get_info after 30s; sandbox_id=a", { errorType: "TimeoutError" }),
      harness("Hit an exception while making a request (try 3): <class 'asyncio.exceptions.TimeoutError'>: "),
    ],
    no: [
      record("TimeoutError()", { errorType: "TimeoutError" }),
      harness("timeout"),
      harness(awaiting, { reusedSocket: true }),
    ],
  },
  {
    id: "transport.connect_timeout",
    class: "transport.connect_timeout",
    when: told(
      { layer: CLIENT },
      { text: CONNECT_TIMEOUT, type: CONNECT_TIMEOUT_TYPE, code: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/ },
    ),
    confidence: "certain",
    why: "The TCP connection was not answered in time.",
    yes: [raised("ConnectTimeout", ""), probe({ code: "UND_ERR_CONNECT_TIMEOUT" })],
    no: [raised("ReadTimeout", ""), agentSaid("ConnectTimeout")],
  },
  {
    id: "transport.connection_reset",
    class: "transport.connection_reset",
    when: [
      ...told({ layer: CLIENT }, { text: RESET, type: RESET_TYPE, code: /^(ECONNRESET|EPIPE)$/ }),
      { layer: CLIENT, message: /PTY socket lost|SSH tunnel attempt \d+\/\d+ failed/ },
      { layer: CLIENT, errorType: /^(TunnelError|SandboxConnectionException)$/ },
      { layer: CLIENT, producerClass: "TunnelError" },
    ],
    unless: [{ message: REFUSED }],
    confidence: "likely",
    why: "The connection broke while it was in use; an empty ReadError says no more.",
    yes: [
      raised("ReadError", "command run failed for sandbox 38ed4c9c: "),
      harness("fetch failed: read ECONNRESET"),
      { layer: "harness", kind: "counter", message: "Hit 100 global `ClientOSError` while querying", count: 100 },
    ],
    no: [
      raised("RemoteProtocolError", "Server disconnected without sending a response."),
      agentSaid("Connection reset by peer"),
    ],
  },
  {
    id: "transport.connect_refused",
    class: "transport.connect_refused",
    when: told(
      { layer: CLIENT },
      { text: REFUSED, type: REFUSED_TYPE, code: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/ },
    ),
    confidence: "certain",
    why: "Nothing accepted the connection.",
    yes: [raised("ConnectError", "All connection attempts failed"), probe({ code: "ECONNREFUSED" })],
    no: [
      harness("ClientConnectorError: Cannot connect to host 10.0.0.1:8080 ssl:default [Too many open files]"),
      agentSaid("connection refused"),
    ],
  },
  {
    id: "transport.sdk_network",
    class: "transport.request_timeout",
    when: [{ layer: CLIENT, message: /(?:Network connectivity error|Failed to connect to sandbox): *$/ }],
    subCause: "empty_text",
    confidence: "possible",
    why: "The SDK names the network and no cause; timeouts are what prints empty.",
    yes: [raised("SandboxInternalException", "Network connectivity error: ")],
    no: [raised("SandboxInternalException", "Network connectivity error: All connection attempts failed")],
  },
];
