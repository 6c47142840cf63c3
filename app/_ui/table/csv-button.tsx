"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Button } from "../button";

/** Saves all rows of a list, not only those in sight. */
export function CsvButton({ url, fileName }: { url: string; fileName: string }) {
  const download = useMutation({
    mutationFn: () => import("./download-csv").then((module) => module.downloadCsv(url, fileName)),
  });
  return (
    <Button look="quiet" size="small" disabled={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" />
      <span aria-live="polite">{download.isPending ? "Reading …" : download.isError ? "Failed, again?" : "CSV"}</span>
    </Button>
  );
}
