/** The model's API: its client classes and its host, before any rule that reads a bare 429 or a reset. */
import type { Rule } from "../rule";
import { agentSaid, CLIENT, harness, raised, record } from "./examples";

const CLIENT_CLASS =
  /^(APIConnectionError|APITimeoutError|APIStatusError|APIResponseValidationError|ProviderError|LiteLLM\w*|ServiceUnavailableError|OpenAIError|AnthropicError|OverloadedError|ModelError|ModelHTTPError)$/;
/** Class names that sandbox SDKs use as well: they need the model client's own words beside them. */
const SHARED_CLASS =
  /^(RateLimitError|BadRequestError|AuthenticationError|PermissionDeniedError|InternalServerError|NotFoundError|UnprocessableEntityError|Timeout|APIError|ConflictError)$/;

export const MODEL: readonly Rule[] = [
  {
    id: "model.client_class",
    class: "model.endpoint",
    when: [
      { layer: CLIENT, errorChain: CLIENT_CLASS },
      { layer: CLIENT, errorType: CLIENT_CLASS },
      { layer: CLIENT, producerClass: /^(exit_api|ProviderError|api_error_model|model_error|llm_error)$/ },
      { layer: CLIENT, kind: "finished", finishedStatus: /^(exit_api|ProviderError)$/ },
    ],
    confidence: "certain",
    why: "The class belongs to a model client, whatever connection error lies beneath it.",
    yes: [
      raised("APIConnectionError", "Connection error."),
      raised("ConnectError", "All connection attempts failed", { errorChain: ["ConnectError", "APIConnectionError"] }),
    ],
    no: [raised("ConnectError", "All connection attempts failed")],
  },
  {
    id: "model.client_words",
    class: "model.endpoint",
    when: [
      { layer: CLIENT, errorType: SHARED_CLASS, message: /\bError code: \d{3}\b/ },
      { layer: CLIENT, producerClass: SHARED_CLASS, message: /\bError code: \d{3}\b/ },
      {
        layer: CLIENT,
        message:
          /\b(?:openai|anthropic|litellm)\.(?:\w+\.)?\w+(?:Error|Exception|Timeout)\b|\blitellm\.\w+|\bmodel call failed\b|\bError code: \d{3} - |insufficient_quota|\bgoogle\.genai\.errors\.|The model is overloaded|exceeded your current quota|\/chat\/completions\b|\/v1\/(?:responses|messages|completions)\b/,
      },
      { layer: CLIENT, path: /\/(?:chat\/completions|v1\/(?:responses|messages|completions))\b/, status: { min: 400 } },
    ],
    // SDKs of sandboxes are made by the same generator as those of models.
    unless: [{ message: /\bdevbox\b/i }],
    confidence: "certain",
    why: "The text names a model client or a model API's path: its limits and errors are the provider's.",
    yes: [
      harness("model call failed: openai.RateLimitError: Error code: 429"),
      record("Error code: 400 - Unsupported parameter: 'reasoning.effort'", { errorType: "BadRequestError" }),
    ],
    no: [
      record("Modal Sandbox with container ID ta-d12a341e not found", { errorType: "NotFoundError" }),
      agentSaid("openai.RateLimitError: Error code: 429"),
      harness("SandboxApiException: HTTP 429 Too Many Requests"),
    ],
  },
  {
    id: "model.rate_limit",
    class: "model.endpoint",
    when: [
      { layer: CLIENT, errorType: "RateLimitError" },
      { layer: CLIENT, producerClass: "RateLimitError" },
    ],
    unless: [{ message: /sandbox|container/i }, { operation: /sandbox|create/i }],
    confidence: "likely",
    why: "Model clients raise this name; sandbox SDKs name the sandbox beside it.",
    yes: [raised("RateLimitError", "too many tokens per minute")],
    no: [raised("RateLimitError", "sandbox creation limit reached")],
  },
];
