"use client";

import { ImageDown } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Rate } from "@/server/domain/rate";
import { Button } from "../button";

export interface PlotRow {
  name: string;
  rate: Rate | null;
  expected: number | null;
  bad: boolean;
}

export interface PlotPngProps {
  fileName: readonly string[];
  end: number;
  rows: readonly PlotRow[];
}

const PlotPicture = dynamic(() => import("./plot-picture").then((module) => module.PlotPicture), { ssr: false });

/** Saves a plot that on the page is a column of a table as one picture. */
export function PlotPng(props: PlotPngProps) {
  const [drawing, setDrawing] = useState(false);
  return (
    <>
      <Button look="quiet" size="small" disabled={props.rows.length === 0} onClick={() => setDrawing(true)}>
        <ImageDown aria-hidden="true" /> PNG
      </Button>
      {drawing && <PlotPicture {...props} onDone={() => setDrawing(false)} />}
    </>
  );
}
