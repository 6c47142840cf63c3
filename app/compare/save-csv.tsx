"use client";

import { Download } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { fileStem, saveBlob } from "@/app/_ui/chart/save-blob";

/** Saves a table that the page already has in full. */
export function SaveCsv({ text, fileName }: { text(): string; fileName: readonly string[] }) {
  const save = () => saveBlob(new Blob([text()], { type: "text/csv;charset=utf-8" }), `${fileStem(...fileName)}.csv`);
  return (
    <Button look="quiet" size="small" onClick={save}>
      <Download aria-hidden="true" /> CSV
    </Button>
  );
}
