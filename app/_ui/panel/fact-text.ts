/** Facts about a sandbox as text. Pure. */
import { bytes, duration } from "../format";

/** Names as in `Fact`: memory in bytes, times in epoch ms (said in UTC), spans in seconds; all else as it is. */
export function factText(name: string, value: string | number | boolean): string {
  if (typeof value !== "number") return String(value);
  if (name.startsWith("memory")) return bytes(value);
  if (name.endsWith("At")) return `${new Date(value).toISOString().replace("T", " ").slice(0, 19)} UTC`;
  if (name === "ttlS") return duration(value * 1000);
  return name.startsWith("cpu") ? `${value} ${value === 1 ? "core" : "cores"}` : String(value);
}
