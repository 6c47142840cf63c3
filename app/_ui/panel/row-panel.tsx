"use client";

import dynamic from "next/dynamic";
import { useOpen, useOpened } from "./panel-state";

const RolloutPanel = dynamic(() => import("./rollout-panel").then((module) => module.RolloutPanel), { ssr: false });
const IncidentPanel = dynamic(() => import("./incident-panel").then((module) => module.IncidentPanel), { ssr: false });

/** The panel over the page, when the URL names a row. */
export function RowPanel() {
  const { rollout, incident } = useOpened();
  const open = useOpen();
  const close = () => open({});
  if (incident !== null) return <IncidentPanel id={incident} onClose={close} />;
  if (rollout !== null) return <RolloutPanel id={rollout} onClose={close} />;
  return null;
}
