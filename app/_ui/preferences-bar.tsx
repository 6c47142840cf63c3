"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { THEMES, type Theme } from "@/app/_client/preferences";
import { useReader } from "@/app/_client/reader";
import { UTC } from "./clock";

const THEME_ICON = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, typeof Sun>;
const THEME_NAME: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

/** Theme and time zone, remembered for the next visit. */
export function PreferencesBar() {
  const { theme, setTheme, zone, setZone } = useReader();
  const local = zone.name !== UTC.name;
  return (
    <div className="flex items-center justify-between gap-2">
      <Segments
        label="Theme"
        value={theme}
        options={THEMES.map((value) => {
          const Icon = THEME_ICON[value];
          return { value, name: THEME_NAME[value], face: <Icon aria-hidden="true" className="size-3.5" /> };
        })}
        onChange={setTheme}
      />
      <Segments
        label="Times in"
        value={local ? "local" : "utc"}
        options={[
          { value: "utc", name: "UTC", face: "UTC" },
          { value: "local", name: "Your time zone", face: "Local" },
        ]}
        onChange={(value) =>
          setZone(value === "utc" ? UTC : { name: Intl.DateTimeFormat().resolvedOptions().timeZone })
        }
      />
    </div>
  );
}

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; name: string; face: React.ReactNode }[];
  onChange(value: T): void;
}

/** A few choices side by side, one of them made. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className="inline-flex rounded-md border border-line2 p-px text-small">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-label={typeof option.face === "string" ? undefined : option.name}
          title={option.name}
          onClick={() => onChange(option.value)}
          className="inline-flex h-[22px] min-w-6 items-center justify-center rounded-[5px] px-1.5 text-mut hover:text-ink aria-pressed:bg-ink aria-pressed:text-bg"
        >
          {option.face}
        </button>
      ))}
    </fieldset>
  );
}
