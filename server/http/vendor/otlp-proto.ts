/** OTLP logs as protobuf ⇄ the same request as OTLP/JSON. Field numbers are the protocol's (opentelemetry-proto 1.x, logs service). */
import protobuf from "protobufjs";

const SCHEMA = `
syntax = "proto3";
message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7; } }
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message InstrumentationScope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
message Resource { repeated KeyValue attributes = 1; }
message LogRecord { fixed64 timeUnixNano = 1; fixed64 observedTimeUnixNano = 11; int32 severityNumber = 2; string severityText = 3; AnyValue body = 5; repeated KeyValue attributes = 6; fixed32 flags = 8; bytes traceId = 9; bytes spanId = 10; string eventName = 12; }
message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord logRecords = 2; string schemaUrl = 3; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scopeLogs = 2; string schemaUrl = 3; }
message ExportLogsServiceRequest { repeated ResourceLogs resourceLogs = 1; }
message ExportLogsPartialSuccess { int64 rejectedLogRecords = 1; string errorMessage = 2; }
message ExportLogsServiceResponse { ExportLogsPartialSuccess partialSuccess = 1; }
message Status { int32 code = 1; string message = 2; }
`;

const { root } = protobuf.parse(SCHEMA, { keepCase: true });
const REQUEST = root.lookupType("ExportLogsServiceRequest");
const RESPONSE = root.lookupType("ExportLogsServiceResponse");
const STATUS = root.lookupType("Status");

/** Throws what protobuf throws on bytes that are no such message. 64-bit integers become strings, as OTLP/JSON has them. */
export function decodeOtlp(bytes: Uint8Array): unknown {
  return REQUEST.toObject(REQUEST.decode(bytes), { longs: String, bytes: String, arrays: false });
}

/** For tests and for tools that speak the protocol. */
export function encodeOtlp(request: object): Uint8Array {
  return REQUEST.encode(REQUEST.fromObject(request)).finish();
}

export function encodeOtlpAnswer(rejected: number, message: string): Uint8Array {
  const answer = rejected === 0 ? {} : { partialSuccess: { rejectedLogRecords: rejected, errorMessage: message } };
  return RESPONSE.encode(RESPONSE.fromObject(answer)).finish();
}

export function decodeOtlpAnswer(bytes: Uint8Array): unknown {
  return RESPONSE.toObject(RESPONSE.decode(bytes), { longs: String });
}

/** `code`: a gRPC status code. */
export function encodeOtlpStatus(code: number, message: string): Uint8Array {
  return STATUS.encode(STATUS.fromObject({ code, message })).finish();
}
