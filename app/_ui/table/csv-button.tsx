"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../button";

const SAID = { idle: "CSV", reading: "Reading …", failed: "Failed, again?" };

/** Saves all rows of a list, not only those in sight. */
export function CsvButton({ url, fileName }: { url: string; fileName: string }) {
  const [state, setState] = useState<keyof typeof SAID>("idle");
  const save = () => {
    setState("reading");
    import("./download-csv")
      .then((module) => module.downloadCsv(url, fileName))
      .then(
        () => setState("idle"),
        () => setState("failed"),
      );
  };
  return (
    <Button look="quiet" size="small" disabled={state === "reading"} onClick={save}>
      <Download aria-hidden="true" />
      <span aria-live="polite">{SAID[state]}</span>
    </Button>
  );
}
