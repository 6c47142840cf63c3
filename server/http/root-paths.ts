/** The calls outside of the API's table, as OpenAPI has them: vendors' own protocols and Prometheus, at the addresses that these programs expect. */

const BYTES = { schema: { type: "string", format: "binary" } };
const JSON_OBJECT = { schema: { type: "object" } };
const SENDER =
  "The run comes from the labels or the header X-Coalmine-Run, the source from the attributes or X-Coalmine-Source.";

export const ROOT_PATHS = {
  "/otlp/v1/logs": {
    post: {
      operationId: "pushOtlpLogs",
      summary: `OTLP logs over HTTP, JSON or protobuf. ${SENDER}`,
      parameters: [],
      requestBody: { required: true, content: { "application/x-protobuf": BYTES, "application/json": JSON_OBJECT } },
      responses: {
        200: { description: "ExportLogsServiceResponse, encoded as the request was.", content: { "*/*": BYTES } },
        default: { description: "A google.rpc.Status, encoded as the request was.", content: { "*/*": BYTES } },
      },
      ...needs("ingest"),
    },
  },
  "/loki/api/v1/push": {
    post: {
      operationId: "pushLoki",
      summary: `A push as Loki takes it, snappy protobuf or JSON. ${SENDER}`,
      parameters: [],
      requestBody: { required: true, content: { "application/x-protobuf": BYTES, "application/json": JSON_OBJECT } },
      responses: {
        204: { description: "Durable, and derived." },
        default: {
          description: "What went wrong, in words.",
          content: { "text/plain": { schema: { type: "string" } } },
        },
      },
      ...needs("ingest"),
    },
  },
  "/metrics": {
    get: {
      operationId: "getMetrics",
      summary: "The server's own figures, for Prometheus.",
      parameters: [],
      responses: {
        200: { description: "Prometheus text.", content: { "text/plain": { schema: { type: "string" } } } },
      },
      ...needs("viewer"),
    },
  },
} as const;

function needs(role: string) {
  return { security: [{ token: [] }], "x-needs-role": role };
}
