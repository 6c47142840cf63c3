"use client";

import { parseAsString, useQueryStates } from "nuqs";
import { createContext, type MouseEvent, type ReactNode, useCallback, useContext, useMemo } from "react";

export interface Opened {
  rollout: string | null;
  incident: string | null;
}

type Open = (what: Partial<Opened>) => void;

const PARSERS = { rollout: parseAsString, incident: parseAsString };
const OpenContext = createContext<Open>(() => {});
const OpenedContext = createContext<Opened>({ rollout: null, incident: null });

/** Which row's panel is open, in the URL: a link to a page may point at one rollout or incident. */
export function PanelProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useQueryStates(PARSERS, { history: "push" });
  const open = useCallback<Open>((what) => void setState({ rollout: null, incident: null, ...what }), [setState]);
  const { rollout, incident } = state;
  const opened = useMemo(() => ({ rollout, incident }), [rollout, incident]);
  return (
    <OpenContext value={open}>
      <OpenedContext value={opened}>{children}</OpenedContext>
    </OpenContext>
  );
}

export function useOpened(): Opened {
  return useContext(OpenedContext);
}

export function useOpen(): Open {
  return useContext(OpenContext);
}

interface PanelLinkProps {
  /** One of both. */
  rollout?: string;
  incident?: string;
  /** Where the panel opens when the link is followed elsewhere, e.g. in a new tab. */
  page: string;
  /** The link by which its row opens. */
  opensRow?: boolean;
  className?: string;
  children: ReactNode;
}

/** Opens a rollout's or incident's panel over the page. */
export function PanelLink({ rollout, incident, page, opensRow, className, children }: PanelLinkProps) {
  const open = useOpen();
  const param =
    rollout === undefined ? `incident=${encodeURIComponent(incident ?? "")}` : `rollout=${encodeURIComponent(rollout)}`;
  const follow = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    open(rollout === undefined ? { incident } : { rollout });
  };
  return (
    <a
      href={`${page}?${param}`}
      onClick={follow}
      data-open={opensRow ? "" : undefined}
      className={className ?? "rows-link"}
    >
      {children}
    </a>
  );
}

/** A click that wants no new tab or window. */
export function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
