import { digitsOf } from "./chance";
import type { DemoPlan, DemoRollout } from "./plan-run";
import type { DemoFault } from "./story";

const TRANSPORT = `Traceback (most recent call last):
  File "/opt/venv/lib/python3.12/site-packages/httpx/_transports/default.py", line 101, in map_httpcore_exceptions
  File "/opt/venv/lib/python3.12/site-packages/httpcore/_async/http11.py", line 136, in handle_async_request
httpcore.RemoteProtocolError: Server disconnected without sending a response.

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/opt/venv/lib/python3.12/site-packages/opensandbox/adapters/command_adapter.py", line 281, in run
httpx.RemoteProtocolError: Server disconnected without sending a response.

The above exception was the direct cause of the following exception:

`;

const UNREACHABLE =
  "Sandbox backend unreachable through 6 submissions of 'command run' (proxy 502: no TCP connection to execd); the sandbox is likely dead";

/** The exception that ended the rollout, as the harness writes it: its class, and its words. */
function errorOf(fault: DemoFault, sandbox: string, podIp: string): { type: string; text: string; cause: string } {
  const id = `sandbox_id='${sandbox}'`;
  const status = (why: string): string =>
    `OpenSandbox status: state='Failed', reason='FAILED', message='1/1 observed pods failed; primary reason=${why}; sample pod=${sandbox}-0`;
  const internal = "opensandbox.exceptions.sandbox.SandboxInternalException";
  const unreachable = "nemo_gym.sandbox.providers.opensandbox.provider.SandboxBackendUnreachableError";
  switch (fault) {
    case "oom": {
      const killed = "container sandbox terminated with OOMKilled (exit code 137)'";
      return { type: unreachable, text: `Sandbox was OOM-killed. ${status("OOMKilled")}; ${killed}; ${id}`, cause: "" };
    }
    case "stale_keepalive": {
      const text = "Unexpected SDK error occurred: Server disconnected without sending a response.";
      return { type: internal, text: `${text}; ${id}`, cause: TRANSPORT };
    }
    case "bind_race": {
      const type = "opensandbox.exceptions.sandbox.SandboxApiException";
      const peer = `endpoint='${podIp}:44772' headers=None: All connection attempts failed`;
      return { type, text: `Run command failed: Could not connect to the backend sandbox ${peer}; ${id}`, cause: "" };
    }
    case "create_timeout": {
      const type = "nemo_gym.sandbox.providers.opensandbox.provider.OpenSandboxCreateTimeoutError";
      const image = "image='registry.example.com/swe/task:1'";
      return {
        type,
        text: `Timed out creating OpenSandbox sandbox after 180.0s; ${image}, ready_timeout_s=120`,
        cause: "",
      };
    }
    case "proxy_error": {
      const type = "opensandbox.exceptions.sandbox.SandboxApiException";
      return { type, text: `Run command failed: An internal error occurred in the proxy: ; ${id}`, cause: "" };
    }
    case "evicted":
    case "backend_dead":
      return { type: unreachable, text: `${UNREACHABLE}; ${id}`, cause: "" };
  }
}

function output(text: string): unknown {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { id: `msg_${digitsOf(text, 12)}`, type: "message", role: "assistant", status: "completed", content };
}

function metadataOf(rollout: DemoRollout): Record<string, unknown> {
  if (rollout.fault !== null) {
    const { type, text, cause } = errorOf(rollout.fault, rollout.sandbox?.id ?? "", rollout.sandbox?.podIp ?? "");
    const name = type.slice(type.lastIndexOf(".") + 1);
    const frame = '  File "/srv/gym/responses_api_agents/mini_swe_agent_2/app.py", line 212, in run\n';
    const traceback = `${cause}Traceback (most recent call last):\n${frame}${type}: ${text}\n`;
    return { error: `${name}: ${text}`, traceback };
  }
  const report = { [rollout.task]: { resolved: rollout.passed, patch_exists: true, patch_successfully_applied: true } };
  const patch =
    "diff --git a/src/core.py b/src/core.py\n--- a/src/core.py\n+++ b/src/core.py\n@@ -1 +1 @@\n-old\n+new\n";
  return { instance_id: rollout.task, model_patch: patch, eval_report: report };
}

function row(plan: DemoPlan, rollout: DemoRollout): unknown {
  const lost = rollout.fault !== null;
  const sandbox = rollout.sandbox;
  return {
    responses_create_params: { input: [], model: "demo/coder-30b", temperature: 0.6, top_p: 0.95, metadata: null },
    response: {
      id: `resp_${digitsOf(`${plan.run.id}/${rollout.task}/${rollout.index}`, 24)}`,
      object: "response",
      created_at: rollout.endedAt / 1000,
      model: "demo/coder-30b",
      output: lost ? [] : [output(`Changed src/core.py for ${rollout.task}.`)],
      error: null,
      incomplete_details: null,
    },
    reward: rollout.passed ? 1 : 0,
    instance_id: rollout.task,
    metadata: metadataOf(rollout),
    ...(sandbox === null ? {} : { sandbox_handle: sandbox.id }),
    _ng_task_index: rollout.taskIndex,
    _ng_rollout_index: rollout.index,
    agent_ref: { name: "mini_swe_agent_2" },
  };
}

/** The rollout file of a run (`STEM.jsonl`), a row per rollout in the order in which they ended. */
export function gymRows(plan: DemoPlan): string {
  const done = [...plan.rollouts].sort((a, b) => a.endedAt - b.endedAt);
  return done.map((rollout) => `${JSON.stringify(row(plan, rollout))}\n`).join("");
}
