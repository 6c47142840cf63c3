import type { AnswerMessage, CallMessage } from "./messages";
import { packError } from "./messages";

/** Runs one call on an object of functions and posts its answer, be it a value or an error. Never throws. */
export async function answerCall(
  operations: Readonly<Record<string, unknown>>,
  { id, method, args }: CallMessage,
  post: (message: AnswerMessage) => void,
): Promise<void> {
  try {
    const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
    if (typeof operation !== "function") throw new Error(`there is no operation ${method}`);
    post({ type: "answer", id, value: await operation(...args) });
  } catch (error) {
    post({ type: "answer", id, error: packError(error) });
  }
}
