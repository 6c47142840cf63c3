/** What a key press means, given the one before it. Pure. */
import { PAGES } from "./pages";

export type Act =
  | { do: "search" }
  | { do: "help" }
  | { do: "go"; href: string }
  | { do: "move"; by: 1 | -1 }
  | { do: "await" }
  | null;

export interface Press {
  key: string;
  /** A modifier that makes it someone else's shortcut is held. */
  modified: boolean;
  /** The reader is writing: letters are letters. */
  writing: boolean;
}

/** `before` is the key of the press before when it came a moment ago, else null. */
export function actOf(press: Press, before: string | null): Act {
  if (press.modified || press.writing) return null;
  if (before === "g") {
    const page = PAGES.find((one) => one.key === press.key);
    if (page) return { do: "go", href: page.href };
  }
  if (press.key === "/") return { do: "search" };
  if (press.key === "?") return { do: "help" };
  if (press.key === "j") return { do: "move", by: 1 };
  if (press.key === "k") return { do: "move", by: -1 };
  return press.key === "g" ? { do: "await" } : null;
}

export const KEY_HELP: readonly { keys: string; does: string }[] = [
  { keys: "/", does: "Filter what is on the page, or search raw lines" },
  ...PAGES.map((page) => ({ keys: `g ${page.key}`, does: `Go to ${page.name}` })),
  { keys: "j", does: "Next row" },
  { keys: "k", does: "Previous row" },
  { keys: "Enter", does: "Open the row" },
  { keys: "Esc", does: "Close what is open" },
  { keys: "?", does: "This list" },
];
