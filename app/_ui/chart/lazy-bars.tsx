"use client";

import dynamic from "next/dynamic";
import type { ComponentProps } from "react";
import { Skeleton } from "../states";
import type { StackedBars } from "./stacked-bars";

/** Heights are fixed, so the place is held while the chart code loads. */
const Loaded = dynamic(() => import("./stacked-bars").then((module) => module.StackedBars), {
  ssr: false,
  loading: () => <Skeleton height={150} />,
});

/** `StackedBars`, whose code is fetched once a page has one. */
export function LazyBars(props: ComponentProps<typeof StackedBars>) {
  return <Loaded {...props} />;
}
