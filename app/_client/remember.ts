"use server";

import { cookies } from "next/headers";
import { THEME_COOKIE, type Theme, themeOf, ZONE_COOKIE, zoneOf } from "./preferences";

const YEAR_S = 365 * 86_400;

/** Keeps the reader's theme; `system` forgets it. What is no theme counts as `system`. */
export async function rememberTheme(theme: Theme): Promise<void> {
  await keep(THEME_COOKIE, themeOf(theme) === "system" ? "" : theme);
}

/** Keeps the zone in which the reader sees times; UTC, or what is no zone, forgets it. */
export async function rememberZone(zone: string): Promise<void> {
  await keep(ZONE_COOKIE, zoneOf(zone).name === "UTC" ? "" : zone);
}

async function keep(name: string, value: string): Promise<void> {
  const jar = await cookies();
  if (value === "") jar.delete(name);
  else jar.set(name, value, { maxAge: YEAR_S, sameSite: "lax", path: "/", httpOnly: true });
}
