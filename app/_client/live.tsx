"use client";

import dynamic from "next/dynamic";

/** Keeps a page up to date while it is looked at; fetched behind its first paint. */
export const Live = dynamic(() => import("./live-refresh").then((module) => module.LiveRefresh), { ssr: false });
