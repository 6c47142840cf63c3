/** One made-up sandbox of the stand-in: its life, its node, and real processes for its commands. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

export class Sandbox {
  readonly id = randomUUID();
  readonly createdAt = Date.now();
  readonly running = new Set<ChildProcess>();
  oomKilled = false;

  constructor(
    readonly node: string,
    readonly podIp: string,
    readonly request: {
      metadata: Record<string, string>;
      resourceLimits: unknown;
      resourceRequests: unknown;
      timeout: number;
    },
  ) {}

  /** Runs a command and tells each event as the exec daemon would. */
  run(command: string, timeoutMs: number, tell: (event: object) => void): Promise<void> {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"], detached: true });
    this.running.add(child);
    const timer = setTimeout(() => this.kill(child), timeoutMs);
    tell({ type: "init", text: randomUUID().replaceAll("-", ""), timestamp: Date.now() });
    child.stdout.on("data", (bytes: Buffer) => tell({ type: "stdout", text: bytes.toString(), timestamp: Date.now() }));
    child.stderr.on("data", (bytes: Buffer) => tell({ type: "stderr", text: bytes.toString(), timestamp: Date.now() }));
    const started = Date.now();
    return new Promise((resolve) => {
      child.once("close", (code) => {
        clearTimeout(timer);
        this.running.delete(child);
        const value = code ?? -1;
        if (value === 0)
          tell({ type: "execution_complete", execution_time: Date.now() - started, timestamp: Date.now() });
        else
          tell({
            type: "error",
            error: { ename: "CommandExecError", evalue: String(value), traceback: null },
            timestamp: Date.now(),
          });
        resolve();
      });
    });
  }

  /** As `diagnostics/inspect` writes it: fixed labels, plain text. */
  inspect(): string {
    const last = this.oomKilled ? "    Last State:     Terminated (exit=137, reason=OOMKilled)\n" : "";
    return `Pod Name:       ${this.id}-0
Namespace:      opensandbox
Node:           ${this.node}
Phase:          ${this.oomKilled ? "Failed" : "Running"}
Pod IP:         ${this.podIp}
Host IP:        10.0.0.1
Start Time:     ${new Date(this.createdAt).toISOString()}

Containers:
  sandbox:
    Ready:          ${!this.oomKilled}
    Restart Count:  0
    State:          ${this.oomKilled ? "Waiting" : "Running"}
${last}
Resources:
  Requests: ${JSON.stringify(this.request.resourceRequests)}
  Limits: ${JSON.stringify(this.request.resourceLimits)}
`;
  }

  /** The whole group dies, as a container does. */
  end(): void {
    for (const child of this.running) this.kill(child);
  }

  status(silentOom: boolean): { state: string; reason: string; message: string } {
    if (!this.oomKilled) return { state: "Running", reason: "RUNNING", message: "Sandbox is running" };
    const detail = silentOom
      ? "primary reason=ContainerFailed"
      : `primary reason=ContainerFailed; sample pod=${this.id}-0; sample detail=Pod ${this.id}-0 container sandbox exited with code 137 (OOMKilled)`;
    return { state: "Failed", reason: "FAILED", message: `1/1 observed pods failed; ${detail}` };
  }

  private kill(child: ChildProcess): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // Already gone.
    }
  }
}
