/** The peer closed a kept connection: with reuse and idle time proven, with one of them, or by the text alone. */
import type { Condition, Rule } from "../rule";
import { agentSaid, answered, CLIENT, harness, probe, raised, record, server } from "./examples";
import { told } from "./told";
import {
  DISCONNECTED,
  DISCONNECTED_TYPE,
  REQUEST_TIMEOUT,
  REQUEST_TIMEOUT_TYPE,
  RESET,
  RESET_TYPE,
  TRUNCATED,
} from "./transport-tokens";

const GONE_TEXT = { text: DISCONNECTED, type: DISCONNECTED_TYPE, code: /^UND_ERR_SOCKET$/ };
const RESET_SIGNS = { text: RESET, type: RESET_TYPE, code: /^(ECONNRESET|EPIPE)$/ };
const TIMEOUT_SIGNS = { text: REQUEST_TIMEOUT, type: REQUEST_TIMEOUT_TYPE, code: /^UND_ERR_HEADERS_TIMEOUT$/ };

/** A canary counts the bytes of this answer; other clients print those of the socket's whole life. */
const ANSWERED: readonly Condition[] = [{ layer: "canary", bytesRead: { min: 1 } }];
/** The answer had begun, whatever the socket is. */
const IN_BODY: readonly Condition[] = [...ANSWERED, { message: TRUNCATED }, { message: /while reading body/ }];

const IDLE: Condition = { layer: CLIENT, reusedSocket: true, idleMs: { min: 1 } };
const stale = "Server disconnected without sending a response.";

export const TRANSPORT_KEEPALIVE: readonly Rule[] = [
  {
    id: "transport.stale_keepalive_proven",
    class: "transport.stale_keepalive",
    when: [...told(IDLE, GONE_TEXT)],
    unless: IN_BODY,
    confidence: "certain",
    why: "A reused socket that had been idle was closed before the first byte of the answer.",
    yes: [
      raised("RemoteProtocolError", stale, { reusedSocket: true, idleMs: 5_100 }),
      probe({ code: "UND_ERR_SOCKET", reusedSocket: true, idleMs: 6_000, bytesRead: 0 }),
    ],
    no: [
      raised("RemoteProtocolError", stale, { reusedSocket: true }),
      raised("RemoteProtocolError", stale, { reusedSocket: false, idleMs: 5_100 }),
    ],
  },
  {
    id: "transport.stale_keepalive_reset",
    class: "transport.stale_keepalive",
    when: [
      ...told(IDLE, RESET_SIGNS),
      ...told({ layer: CLIENT, reusedSocket: true, bytesRead: 0 }, RESET_SIGNS),
      ...told(IDLE, { text: /SSLEOFError|UNEXPECTED_EOF_WHILE_READING/ }),
    ],
    unless: [...ANSWERED, { message: TRUNCATED }],
    confidence: "likely",
    why: "A reused, idle socket was reset before any byte: the peer had closed it and answered our write with RST.",
    yes: [
      probe({ code: "ECONNRESET", reusedSocket: true, idleMs: 9_000, bytesRead: 0 }),
      raised("ReadError", "", { reusedSocket: true, idleMs: 7_000 }),
    ],
    no: [raised("ReadError", ""), probe({ code: "ECONNRESET", reusedSocket: false, idleMs: 0 })],
  },
  {
    id: "transport.stale_keepalive_likely",
    class: "transport.stale_keepalive",
    when: [
      ...told({ layer: CLIENT, reusedSocket: true }, GONE_TEXT),
      ...told({ layer: CLIENT, idleMs: { min: 1 } }, GONE_TEXT),
      { layer: CLIENT, message: /server closed idle connection/i },
    ],
    unless: [...IN_BODY, { reusedSocket: false }],
    confidence: "likely",
    why: "The peer closed before the answer, and one sign of a kept socket stands beside it.",
    yes: [
      harness("http: server closed idle connection"),
      raised("ServerDisconnectedError", "Server disconnected", { idleMs: 6_100 }),
    ],
    no: [
      raised("ServerDisconnectedError", "Server disconnected"),
      raised("ServerDisconnectedError", "Server disconnected", { reusedSocket: false, idleMs: 1 }),
    ],
  },
  {
    id: "transport.stale_blackhole",
    class: "transport.stale_keepalive",
    when: [
      { layer: CLIENT, reusedSocket: true, message: /awaiting (?:response )?headers/ },
      ...told({ layer: CLIENT, reusedSocket: true, idleMs: { min: 1_000 }, bytesRead: 0 }, TIMEOUT_SIGNS),
    ],
    unless: IN_BODY,
    subCause: "black_hole",
    confidence: "likely",
    why: "A balancer had dropped the idle socket without a word: the request on it waited for headers until the deadline.",
    yes: [
      harness("context deadline exceeded (Client.Timeout exceeded while awaiting headers)", {
        reusedSocket: true,
        idleMs: 71_000,
      }),
      probe({ code: "UND_ERR_HEADERS_TIMEOUT", reusedSocket: true, idleMs: 90_000, bytesRead: 0 }),
    ],
    no: [
      harness("context deadline exceeded (Client.Timeout exceeded while awaiting headers)", { reusedSocket: false }),
      harness("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"),
    ],
  },
  {
    id: "transport.disconnected_fresh",
    class: "transport.connection_reset",
    when: told({ layer: CLIENT, reusedSocket: false }, GONE_TEXT),
    unless: IN_BODY,
    subCause: "fresh_socket",
    confidence: "likely",
    why: "The socket was new, so no idle timeout closed it: the peer went away on the request.",
    yes: [raised("RemoteProtocolError", stale, { reusedSocket: false })],
    no: [raised("RemoteProtocolError", stale)],
  },
  {
    id: "transport.stale_keepalive_text",
    class: "transport.stale_keepalive",
    when: told({ layer: CLIENT }, GONE_TEXT),
    unless: [...IN_BODY, { reusedSocket: false }],
    confidence: "possible",
    why: "No byte of an answer came, which is how a kept socket that the peer had closed looks; reuse itself is not shown.",
    yes: [
      raised("RemoteProtocolError", stale),
      { layer: "harness", kind: "line", message: "ServerDisconnectedError" },
      record("RemoteProtocolError('Server disconnected without sending a response.')"),
      {
        layer: "harness",
        kind: "counter",
        message: "Hit 100 global `ServerDisconnectedError` while querying",
        count: 100,
        sampled: true,
      },
    ],
    no: [
      agentSaid("ServerDisconnectedError"),
      answered(500, "An internal error occurred in the proxy: Server disconnected without sending a response."),
      harness("TypeError: terminated SocketError: other side closed", { code: "UND_ERR_SOCKET" }),
    ],
  },
  {
    id: "transport.stale_keepalive_server",
    class: "transport.stale_keepalive",
    when: [
      { layer: "server", message: /timeout_keep_alive_handler|LocalProtocolError.{0,200}ConnectionClosed/ },
      { layer: "server", errorType: "LocalProtocolError", message: /ConnectionClosed|keep.?alive/i },
    ],
    subCause: "server_side",
    confidence: "likely",
    why: "uvicorn's keep-alive timer fired on a connection that a request was just using.",
    yes: [
      server(
        "h11._util.LocalProtocolError: can't handle event type ConnectionClosed when role=SERVER and state=SEND_RESPONSE",
      ),
    ],
    no: [server("h11._util.LocalProtocolError: Too much data for declared Content-Length")],
  },
];
