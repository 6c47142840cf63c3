"use client";

import { ChartColumn, ImageDown, Table2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../button";
import { Section } from "../section";
import { exportPng } from "./export-png";

interface ChartFrameProps {
  title: string;
  note?: ReactNode;
  /** What the picture shows, in one or two sentences; also its description for readers of text. */
  summary: string;
  /** Which mark is which. */
  legend?: ReactNode;
  /** The same numbers as a table. */
  table: ReactNode;
  /** Height in px that picture and table keep. */
  height: number;
  fileName: string;
  children: ReactNode;
}

/** A picture with its words, its table and its file. */
export function ChartFrame({ title, note, summary, legend, table, height, fileName, children }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const save = () => {
    const svg = box.current?.querySelector<SVGSVGElement>("svg[data-chart], svg.recharts-surface");
    if (svg)
      exportPng(svg, `${fileName}.png`).then(
        () => setFailed(false),
        () => setFailed(true),
      );
  };
  return (
    <Section
      title={title}
      note={note}
      actions={
        <>
          {legend && !asTable && <div className="mr-2 max-md:hidden">{legend}</div>}
          <Button look="quiet" size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? <ChartColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
            {asTable ? "Chart" : "Table"}
          </Button>
          {!asTable && (
            <Button look="quiet" size="small" onClick={save}>
              <ImageDown aria-hidden="true" />
              <span aria-live="polite">{failed ? "Failed" : "PNG"}</span>
            </Button>
          )}
        </>
      }
    >
      {legend && !asTable && <div className="mb-2 md:hidden">{legend}</div>}
      {asTable ? (
        <div className="scroll-x overflow-y-auto" style={{ maxHeight: Math.max(height, 280) }}>
          {table}
        </div>
      ) : (
        <div ref={box} style={{ minHeight: height }}>
          {children}
        </div>
      )}
      <p className="mt-1.5 text-small text-mut">{summary}</p>
    </Section>
  );
}
