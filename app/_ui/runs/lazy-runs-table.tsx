"use client";

import { behind } from "../behind";

/** The table of runs, drawn on the server too; its code comes behind the first paint. */
export const RunsTable = behind(() => import("./runs-table").then((module) => module.RunsTable));
