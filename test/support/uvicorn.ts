/** A real uvicorn with a tiny ASGI application, for its keep-alive reaper. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const APP = `
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    while True:
        message = await receive()
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": b'{"status":"healthy"}'})
`;

/** How uvicorn is started here, or null when it is not installed. */
export function uvicornCommand(): string[] | null {
  for (const command of [["uvicorn"], ["/usr/bin/python3", "-m", "uvicorn"], ["python3", "-m", "uvicorn"]]) {
    const [program, ...args] = command as [string, ...string[]];
    if (spawnSync(program, [...args, "--version"]).status === 0) return command;
  }
  return null;
}

export interface Uvicorn {
  port: number;
  stop(): Promise<void>;
}

/** `keepAliveS` null = uvicorn's own default (5 s). */
export async function startUvicorn(keepAliveS: number | null): Promise<Uvicorn> {
  const command = uvicornCommand();
  if (!command) throw new Error("uvicorn is not installed (Debian: python3-uvicorn)");
  const folder = mkdtempSync(join(tmpdir(), "coalmine-uvicorn-"));
  writeFileSync(join(folder, "idle_app.py"), APP);
  const port = await freePort();
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(
    program,
    [
      ...args,
      "idle_app:app",
      "--app-dir",
      folder,
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--log-level",
      "warning",
    ].concat(keepAliveS === null ? [] : ["--timeout-keep-alive", String(keepAliveS)]),
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  await answering(port, child);
  return {
    port,
    stop: async () => {
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("exit", resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error(`uvicorn ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("uvicorn does not answer");
}
