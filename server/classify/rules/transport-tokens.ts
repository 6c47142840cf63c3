/** How HTTP clients of several languages word the same failure of a connection. */

/** Closed before the first byte of an answer. */
export const DISCONNECTED =
  /Server disconnected|ServerDisconnectedError|Remote end closed connection without response|RemoteDisconnected|socket hang up|server closed idle connection|other side closed|\bhttps?:\/\/[^\s"]+"?: EOF\b|connection closed before message completed|<ConnectionTerminated error_code:0\b/i;
export const DISCONNECTED_TYPE = /^(ServerDisconnectedError|RemoteDisconnected)$/;

export const RESET =
  /ECONNRESET|connection reset|\bErrno 104\b|Broken pipe|\bErrno 32\b|\bEPIPE\b|BrokenPipeError|ClosedResourceError|BrokenResourceError|ClientOSError|\[unknown\] terminated|<StreamReset .{0,60}remote_reset:True|StatusCode\.UNAVAILABLE.{0,120}(?:Socket closed|recvmsg)|\b(?:httpx|httpcore)\.(?:Read|Write)Error\b|^(?:Read|Write)Error\b/i;
export const RESET_TYPE =
  /^(ReadError|WriteError|ConnectionResetError|BrokenPipeError|ConnectionAbortedError|ClosedResourceError|BrokenResourceError|ClientOSError|ProtocolError)$/;

export const TRUNCATED =
  /peer closed connection without sending complete message body|incomplete chunked read|IncompleteRead|ClientPayloadError|Response payload is not completed|unexpected EOF|TypeError: terminated|ERR_STREAM_PREMATURE_CLOSE|without a terminal event|stream ended before|upstream prematurely closed connection while reading upstream|ChunkedEncodingError/i;
export const TRUNCATED_TYPE = /^(IncompleteRead|ClientPayloadError|ChunkedEncodingError)$/;

export const REFUSED =
  /All connection attempts failed|ECONNREFUSED|connection refused|Connect call failed|\bErrno 111\b|No route to host|EHOSTUNREACH|ENETUNREACH|Network is unreachable|\bErrno 11[35]\b|Cannot connect to host|failed to connect to all addresses|Could not connect to the Modal server/i;
export const REFUSED_TYPE = /^(ConnectError|ConnectionRefusedError|ClientConnectorError|NewConnectionError)$/;

export const CONNECT_TIMEOUT =
  /ConnectTimeout|Connection timeout to host|ConnectionTimeoutError|\bETIMEDOUT\b|UND_ERR_CONNECT_TIMEOUT|Connect Timeout Error|dial tcp [^\s]{1,100}: i\/o timeout|dial tcp [^\s]{1,100}: connect: connection timed out|\bErrno 110\b/i;
export const CONNECT_TIMEOUT_TYPE = /^(ConnectTimeout|ConnectTimeoutError|ConnectionTimeoutError)$/;

export const REQUEST_TIMEOUT =
  /ReadTimeout|WriteTimeout|SocketTimeoutError|Timeout on reading data from socket|Timed out during OpenSandbox|UND_ERR_(?:HEADERS|BODY)_TIMEOUT|(?:Headers|Body) Timeout Error|Request timed out|Client\.Timeout exceeded|timeout awaiting response headers|StatusCode\.DEADLINE_EXCEEDED|Read timed out/i;
export const REQUEST_TIMEOUT_TYPE =
  /^(ReadTimeout|WriteTimeout|SocketTimeoutError|ReadTimeoutError|HeadersTimeoutError|BodyTimeoutError|SandboxTimeoutException|ServerTimeoutError)$/;

export const POOL =
  /PoolTimeout|Too many open files|\bEMFILE\b|\bENFILE\b|\bErrno 2[34]\b|os error 2[34]\b|Connection pool is full|loading shared libraries:.{0,200}Error 24\b/i;
/** Out of descriptors, in whichever process. */
export const DESCRIPTORS =
  /Too many open files|\bEMFILE\b|\bENFILE\b|\bErrno 2[34]\b|os error 2[34]\b|loading shared libraries:.{0,200}Error 24\b/i;

export const DNS =
  /Temporary failure in name resolution|Name or service not known|\bErrno -[235]\b|ENOTFOUND|EAI_AGAIN|Could not resolve host|no such host|server misbehaving|nodename nor servname|could not be resolved \(/i;

export const TLS =
  /CERTIFICATE_VERIFY_FAILED|certificate verify failed|\bSSLError\b|\bSSLEOFError\b|UNEXPECTED_EOF_WHILE_READING|WRONG_VERSION_NUMBER|\bx509: |close_notify|TLS handshake (?:failed|timeout)|tls: (?:failed to verify|bad certificate|handshake failure|unknown certificate)|SSL certificate problem|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|ERR_TLS_|SSL_do_handshake\(\) failed/i;
