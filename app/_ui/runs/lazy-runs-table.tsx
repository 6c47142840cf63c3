"use client";

import dynamic from "next/dynamic";
import { SkeletonRows } from "../states";

/** The table of runs, drawn on the server too; its code comes behind the first paint. */
export const RunsTable = dynamic(() => import("./runs-table").then((module) => module.RunsTable), {
  loading: () => <SkeletonRows rows={10} height={48} />,
});
