/** A real uvicorn with a tiny ASGI application, for its keep-alive reaper. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Answers every request well, and as far as a sandbox's life goes as an OpenSandbox server does. */
const APP = `
import json
import re
import uuid

sandboxes = set()


def answer(method, path, query, server):
    path = re.sub("^/v1(?=/)", "", path)
    if path == "/sandboxes" and method == "POST":
        made = str(uuid.uuid4())
        sandboxes.add(made)
        return 202, {"id": made, "status": {"state": "Running"}}
    found = re.match("^/sandboxes/([0-9a-f-]+)(/.*)?$", path)
    if not found:
        return 200, {"status": "healthy"}
    name, rest = found.group(1), found.group(2) or ""
    if name not in sandboxes:
        return 404, {"code": "KUBERNETES::SANDBOX_NOT_FOUND", "message": "not found"}
    if rest == "":
        if method == "DELETE":
            sandboxes.discard(name)
            return 204, None
        return 200, {"id": name, "status": {"state": "Running"}}
    if rest.startswith("/endpoints/"):
        host = "%s:%d" % server
        if b"use_server_proxy=true" in query:
            return 200, {"endpoint": "%s/sandboxes/%s/proxy/44772" % (host, name)}
        return 200, {"endpoint": host, "headers": {"OpenSandbox-Ingress-To": name + "-44772"}}
    if rest.startswith("/proxy/"):
        return 200, {"status": "healthy"}
    return 404, {"code": "GENERAL::UNKNOWN_ERROR", "message": "Not Found"}


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    while True:
        message = await receive()
        if not message.get("more_body"):
            break
    status, body = answer(scope["method"], scope["path"], scope["query_string"], scope["server"])
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if body is None else json.dumps(body).encode()})
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
