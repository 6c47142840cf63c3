"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { useReader } from "@/app/_client/reader";
import { Button } from "@/app/_ui/button";
import { ChartFrame } from "@/app/_ui/chart/chart-frame";
import { fileStem } from "@/app/_ui/chart/save-blob";
import { Choice } from "@/app/_ui/choice";
import { duration, plural } from "@/app/_ui/format";
import { Section } from "@/app/_ui/section";
import { Empty } from "@/app/_ui/states";
import { When } from "@/app/_ui/when";
import type { RolloutDetail } from "@/server/domain/rollout-detail";
import { certificateRows, clockText, layersOf, placeDots, SILENCE_MS } from "./certificate";
import { EvidenceRow } from "./evidence-row";
import { LaneTable } from "./lane-table";
import { LANE_PX, Lanes, TOP_PX } from "./lanes";

/** All evidence by time, whichever layer it comes from: as a picture, then line by line. */
export function Timeline({ detail }: { detail: RolloutDetail }) {
  const { timeline, clocks } = detail;
  if (timeline.length === 0) {
    return (
      <Section title="Timeline">
        <Empty title="No line of evidence is kept: only the record itself says how it ended.">
          Pods, events and server logs say more:{" "}
          <code className="mono">kubectl get pods,events -A -o json | coalmine ingest -</code>
        </Empty>
      </Section>
    );
  }
  const apart = clocks.filter((clock) => clock.apart);
  return (
    <>
      <Picture detail={detail} />
      <Lines detail={detail} />
      {apart.length > 0 && (
        <Section title="Clocks" note="times are shown as each source wrote them">
          <ul className="border-t py-2">
            {apart.map((clock) => (
              <li key={`${clock.layer} ${clock.source}`}>{clockText(clock)}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Picture({ detail }: { detail: RolloutDetail }) {
  const rows = certificateRows(detail.timeline, null);
  const layers = layersOf(detail.timeline);
  const { dots, silences } = placeDots(rows);
  const bad = dots.filter((dot) => dot.bad).length;
  const last = rows.findLast((row) => row.sinceMs !== null)?.sinceMs ?? 0;
  const longest = Math.max(0, ...rows.map((row) => row.silenceMs ?? 0));
  const silence = longest >= SILENCE_MS ? `; the longest silence was ${duration(longest)}` : "";
  const summary = `${plural(rows.length, "line")} of ${plural(layers.length, "layer")} within ${duration(last)}, ${bad} of them signs of failure${silence}.`;
  if (dots.length < 2) return null;
  return (
    <ChartFrame
      title="Timeline"
      note="not to scale: silences are shortened"
      summary={summary}
      height={layers.length * LANE_PX + TOP_PX}
      fileName={fileStem("rollout", detail.task, String(detail.index))}
      table={<LaneTable rows={rows} />}
    >
      <Lanes layers={layers.map(({ layer }) => layer)} dots={dots} silences={silences} summary={summary} />
    </ChartFrame>
  );
}

function Lines({ detail }: { detail: RolloutDetail }) {
  const { zone } = useReader();
  const [layer, setLayer] = useQueryState("layer", parseAsString);
  const [all, setAll] = useState(false);
  const layers = layersOf(detail.timeline);
  const rows = certificateRows(detail.timeline, layer);
  const clocks = new Map(detail.clocks.filter((clock) => clock.apart).map((clock) => [clock.source, clock]));
  return (
    <Section
      title="Evidence"
      note={
        <>
          {`${plural(rows.length, "line")}${detail.truncated ? ", the first of more" : ""}, `}
          <When at={detail.timeline.find((line) => line.at !== null)?.at ?? null} as="day" /> {zone.name}
        </>
      }
      actions={
        <>
          <Choice
            label="Layer"
            any="All layers"
            value={layer}
            options={layers.map((one) => ({ value: one.layer, label: one.layer, n: one.n }))}
            onChange={(next) => void setLayer(next)}
          />
          <Button aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? "Fold all" : "Unfold all"}
          </Button>
        </>
      }
    >
      {rows.length === 0 ? (
        <Empty title="No line of this layer." />
      ) : (
        <ol className="border-t">
          {rows.map((row) => (
            <li key={row.key} className="border-b">
              {row.silenceMs !== null && (
                <p className="border-b border-dashed bg-sub px-2 py-0.5 text-tiny text-mut">
                  <span aria-hidden="true">⋯ </span>
                  {duration(row.silenceMs)} of silence
                </p>
              )}
              <EvidenceRow row={row} unfolded={all} clock={clocks.get(row.line.source) ?? null} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
