/** What a reader chose, kept in cookies so that the server draws the page right the first time. Pure. */
import { isZone, UTC, type Zone } from "@/app/_ui/clock";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "coalmine-theme";
/** The name of the zone in which times are shown; absent = UTC. */
export const ZONE_COOKIE = "coalmine-zone";

export function themeOf(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? "system";
}

/** The class of the root element; none follows the system. */
export function themeClass(theme: Theme): string {
  return theme === "system" ? "" : theme;
}

export function zoneOf(cookie: string | undefined): Zone {
  return cookie !== undefined && isZone(cookie) ? { name: cookie } : UTC;
}
