import type { Api } from "./api";
import { EXIT, print, printJson, type Terminal } from "./terminal";

/** Loads or removes the made-up demo fleet. */
export async function demo(
  api: Api,
  terminal: Terminal,
  action: "load" | "remove",
  options: { json?: boolean },
): Promise<number> {
  const answer = await api.call<unknown>("/demo", { method: action === "load" ? "POST" : "DELETE" });
  if (options.json) printJson(terminal, answer ?? {});
  else if (action === "load") print(terminal, "The made-up demo fleet is loaded; everything of it is marked as such.");
  else print(terminal, "The demo fleet is removed.");
  return EXIT.ok;
}
