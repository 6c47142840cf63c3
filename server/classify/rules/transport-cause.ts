/** Causes that lie beneath a broken connection, innermost first: names, TLS, descriptors, a body that was cut. */
import type { Rule } from "../rule";
import { agentSaid, CLIENT, execd, execLog, gateway, harness, probe, raised, server, TOLD } from "./examples";
import { told } from "./told";
import { DNS, POOL, TLS, TRUNCATED, TRUNCATED_TYPE } from "./transport-tokens";

const awaiting = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";

/** Judged before the keep-alive rules. */
export const TRANSPORT_CAUSE: readonly Rule[] = [
  {
    id: "transport.client_left",
    class: "transport.client_left",
    when: [
      { layer: "execd", message: /client disconnected\b/ },
      {
        layer: "execd",
        message:
          /\bwrite (?:data )?(?:type=|tcp ).{0,3000}(?:broken pipe|connection reset by peer|use of closed network connection)/,
      },
      { layer: "execd", kind: "access", status: [460, 499] },
    ],
    confidence: "certain",
    why: "execd wrote to its client and nobody was there.",
    yes: [
      execLog("StreamEvent.OnExecuteStdout: client disconnected"),
      execLog("sse: Ping client disconnected"),
      execLog(
        "StreamEvent.OnExecuteComplete write data type=execution_complete error: write tcp 10.42.7.3:44772->10.42.0.9:51022: write: broken pipe",
      ),
    ],
    no: [harness("Broken pipe"), agentSaid("client disconnected"), execd("Proxy error: write: broken pipe")],
  },
  {
    id: "transport.dns",
    class: "transport.dns",
    when: [
      ...told({ layer: TOLD }, { text: DNS, type: /^(gaierror|NameResolutionError|ClientConnectorDNSError)$/ }),
      { layer: TOLD, code: /^(ENOTFOUND|EAI_AGAIN)$/ },
    ],
    unless: [{ kind: "event" }],
    confidence: "certain",
    why: "The name of the peer was not found.",
    yes: [
      { layer: "harness", kind: "line", message: "Temporary failure in name resolution" },
      harness("fetch failed: getaddrinfo ENOTFOUND sandbox-api.internal", { code: "ENOTFOUND" }),
    ],
    no: [agentSaid("Could not resolve host: pypi.org"), harness("All connection attempts failed")],
  },
  {
    id: "transport.tls",
    class: "transport.tls",
    when: [
      ...told(
        { layer: TOLD },
        {
          text: TLS,
          type: /^(SSLError|SSLEOFError|SSLCertVerificationError|ClientConnectorSSLError|ClientConnectorCertificateError)$/,
        },
      ),
      {
        layer: TOLD,
        code: /^(CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/,
      },
    ],
    unless: [{ kind: "event" }],
    confidence: "certain",
    why: "The encrypted connection was not made: a certificate or the protocol.",
    yes: [
      harness(
        "httpx.ConnectError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)",
      ),
      server("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
      gateway("Server TLS handshake failed. Certificate verify failed: IP address mismatch"),
    ],
    no: [
      agentSaid("curl: (60) SSL certificate problem: certificate has expired"),
      harness("All connection attempts failed"),
    ],
  },
  {
    id: "transport.pool_exhausted",
    class: "transport.pool_exhausted",
    when: told({ layer: CLIENT }, { text: POOL, type: /^PoolTimeout$/, code: /^(EMFILE|ENFILE)$/ }),
    confidence: "certain",
    why: "The client had no free connection or descriptor, whatever the symptom reads like.",
    yes: [
      raised("PoolTimeout", ""),
      harness("OSError: [Errno 24] Too many open files: '/var/run/x'"),
      harness("ClientConnectorError: Cannot connect to host 10.0.0.1:8080 ssl:default [Too many open files]"),
    ],
    no: [
      server("Proxy accept error: Too many open files (os error 24)"),
      harness("FileNotFoundError: [Errno 2] No such file"),
    ],
  },
  {
    id: "client.total_timeout",
    class: "client.config",
    when: [
      {
        layer: CLIENT,
        message: /Client\.Timeout (?:exceeded|or context cancellation) while reading body/,
        bytesRead: { min: 1 },
      },
    ],
    confidence: "likely",
    why: "Bytes were flowing: the client's total time limit cut a live stream.",
    yes: [
      harness("sse read: context deadline exceeded (Client.Timeout exceeded while reading body)", {
        bytesRead: 88_123,
      }),
    ],
    no: [harness(awaiting, { bytesRead: 88_123 })],
  },
  {
    id: "transport.stream_truncated",
    class: "transport.stream_truncated",
    when: [
      ...told(
        { layer: CLIENT },
        {
          text: TRUNCATED,
          type: TRUNCATED_TYPE,
          code: /^(NO_TERMINAL_EVENT|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
        },
      ),
      { layer: "canary", code: /^(UND_ERR_SOCKET|ECONNRESET|UND_ERR_BODY_TIMEOUT)$/, bytesRead: { min: 1 } },
    ],
    confidence: "certain",
    why: "The answer had begun and did not reach its end.",
    yes: [
      raised(
        "RemoteProtocolError",
        "peer closed connection without sending complete message body (incomplete chunked read)",
      ),
      harness("TypeError: terminated\nSocketError: other side closed", {
        code: "UND_ERR_SOCKET",
        bytesRead: 10_270_430,
      }),
      probe({ code: "NO_TERMINAL_EVENT" }),
    ],
    no: [raised("RemoteProtocolError", "Server disconnected without sending a response."), agentSaid("IncompleteRead")],
  },
];
