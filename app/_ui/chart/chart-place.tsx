import { Skeleton } from "../states";

/** Holds the place of a chart with its title and summary while its code is fetched; on narrow screens the legend takes lines of its own. */
export function ChartPlace({ height }: { height: number }) {
  return (
    <div className="mb-8 max-md:pb-14">
      <Skeleton height={14} className="my-[5px] mb-[13px] max-w-60" />
      <Skeleton height={height} />
      <Skeleton height={10} className="mt-2.5 max-w-[560px]" />
    </div>
  );
}
