/** A row of `results.jsonl` as verifiers wrote it before it had traces: the error's chain ends in what really failed. */
import type { Evidence } from "@/server/domain/evidence";
import type { FormatContext, Payload, Sink } from "../format";
import { blankRollout, HONEST_ZERO } from "./blank-rollout";
import { exceptionLine, exceptionRepr } from "./exceptions";
import { sandboxFields, sandboxIn } from "./ids-in-text";
import { booleanOf, type JsonObject, numberOf, objectAt, textOf, typeWord } from "./json-fields";
import { errorWords, recordError, rejectRecord } from "./record-error";
import { epochMs } from "./times";

export function readLegacyRow(row: JsonObject, payload: Payload, sink: Sink, _context: FormatContext): void {
  const id = textOf(row, "example_id") ?? numberOf(row, "example_id")?.toString();
  const { reward } = row;
  if (id === undefined || (reward !== null && typeof reward !== "number")) {
    const [name, value] = id === undefined ? ["example_id", row.example_id] : ["reward", reward];
    rejectRecord(payload, sink, `${name} must be a number, got ${typeWord(value)}`);
    return;
  }
  const evidence = evidenceOf(row);
  const error = errorWords(evidence);
  const told = sandboxIn(evidence.map((one) => one.message ?? "").join("\n"));
  const timing = objectAt(row, "timing");
  const scored = reward !== null && error === null;
  sink.rollout(payload, {
    ...blankRollout(textOf(objectAt(row, "info"), "instance_id", "task_id") ?? id),
    startedAt: epochMs(numberOf(timing, "start_time") ?? 0),
    endedAt: epochMs(
      numberOf(objectAt(timing, "scoring"), "end") ?? numberOf(objectAt(timing, "generation"), "end") ?? 0,
    ),
    reward,
    scored,
    sandboxes: [...new Set([...sandboxFields(row), ...(told ? [told] : [])])],
    error,
    evidence: scored && reward !== null && reward <= 0 && evidence.length === 0 ? [...HONEST_ZERO] : evidence,
  });
}

function evidenceOf(row: JsonObject): Evidence[] {
  const error = objectAt(row, "error");
  const oom = (numberOf(objectAt(row, "metrics"), "sandbox_oom") ?? 0) > 0;
  if (error) {
    const chains = [textOf(error, "error_chain_str"), textOf(error, "error_chain_repr"), textOf(error, "message")];
    const read = longest(chains.flatMap((text) => (text === undefined ? [] : [chainOf(text)])));
    const type = textOf(error, "error")?.split(".").at(-1);
    const types = [...new Set([...read.types, ...(type && /^\w+$/.test(type) ? [type] : [])])];
    const typed: Partial<Evidence> = types[0] ? { errorType: types[0], errorChain: types } : {};
    return [
      recordError(read.leaf || textOf(error, "message"), undefined, {
        ...typed,
        ...(oom ? { producerClass: "sandbox_oom" } : {}),
      }),
    ];
  }
  if (oom) return [recordError(undefined, undefined, { producerClass: "sandbox_oom" })];
  if (booleanOf(row, "is_truncated") && numberOf(row, "reward") === 0)
    return [{ layer: "record", kind: "finished", finishedStatus: "failed" }];
  return [];
}

/** The chain that names most classes: one of the two forms may hold the words alone. */
function longest(chains: { types: string[]; leaf: string }[]): { types: string[]; leaf: string } {
  return chains.reduce((best, one) => (one.types.length > best.types.length ? one : best), chains[0] ?? chainOf(""));
}

/** `SandboxError('…') -> SandboxOOMError('…')`: types with the innermost first, and what that one said. */
function chainOf(text: string): { types: string[]; leaf: string } {
  const links = text.split(" -> ").map((link) => link.trim());
  const read = links.map((link) => exceptionLine(link) ?? exceptionRepr(link));
  const types = read
    .flatMap((one, i) => one?.type ?? (/^[A-Z]\w+$/.test(links[i] ?? "") ? (links[i] ?? []) : []))
    .reverse();
  return { types, leaf: links.at(-1) ?? "" };
}
