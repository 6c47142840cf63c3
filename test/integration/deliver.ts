import type { IngestResult } from "@/server/domain/batch";

/** One row of a Gym rollout file. */
export function gymRow(task: number, index: number, more: Record<string, unknown> = {}): string {
  const response = { id: `resp_${task}_${index}`, created_at: 1_790_000_000 + task, output: [], error: null };
  const row = {
    _ng_task_index: task,
    _ng_rollout_index: index,
    reward: index % 2,
    instance_id: `task-${task}`,
    response,
  };
  return `${JSON.stringify({ ...row, agent_ref: { name: "mini_swe_agent_2" }, ...more })}\n`;
}

export interface Answer<T> {
  status: number;
  type: string;
  body: T;
}

/** Asks and reads JSON, whatever the status. */
export async function ask<T>(url: string, init: RequestInit = {}): Promise<Answer<T>> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  const type = answer.headers.get("content-type") ?? "";
  return { status: answer.status, type, body: (text === "" ? null : JSON.parse(text)) as T };
}

export interface Sent {
  format?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** One delivery over HTTP. */
export function deliver(url: string, body: string | Uint8Array, sent: Sent = {}): Promise<Answer<IngestResult>> {
  const query = new URLSearchParams(sent.query);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return ask(`${url}/api/v1/ingest/${sent.format ?? "auto"}?${query}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...sent.headers },
    body: bytes as BodyInit,
  });
}
