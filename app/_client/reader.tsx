"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { Zone } from "@/app/_ui/clock";
import { type Theme, themeClass } from "./preferences";
import { rememberTheme, rememberZone } from "./remember";

interface Reader {
  theme: Theme;
  zone: Zone;
  /** Epoch ms, moving once a minute: ages are counted from it. */
  now: number;
  setTheme(theme: Theme): void;
  setZone(zone: Zone): void;
}

const ReaderContext = createContext<Reader | null>(null);

interface ReaderProps {
  theme: Theme;
  zone: Zone;
  /** When the server drew the page; both sides must begin with the same time. */
  now: number;
  children: ReactNode;
}

/** Holds what the reader chose and what time it is. */
export function ReaderProvider(given: ReaderProps) {
  const [theme, setTheme] = useState(given.theme);
  const [zone, setZone] = useState(given.zone);
  const [now, setNow] = useState(given.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const reader = useMemo<Reader>(
    () => ({
      theme,
      zone,
      now,
      setTheme(next) {
        document.documentElement.classList.remove("light", "dark");
        if (next !== "system") document.documentElement.classList.add(themeClass(next));
        setTheme(next);
        void rememberTheme(next);
      },
      setZone(next) {
        setZone(next);
        void rememberZone(next.name);
      },
    }),
    [theme, zone, now],
  );
  return <ReaderContext value={reader}>{given.children}</ReaderContext>;
}

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === null) throw new Error("useReader outside of ReaderProvider");
  return reader;
}
