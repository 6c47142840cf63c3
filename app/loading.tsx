import { PageFrame } from "./_ui/page-frame";
import { Skeleton, SkeletonRows } from "./_ui/states";

export default function Loading() {
  return (
    <PageFrame trail={[]}>
      <div role="status">
        <span className="sr-only">Loading</span>
        <Skeleton height={56} className="mb-8 max-w-[760px]" />
        <SkeletonRows rows={12} />
      </div>
    </PageFrame>
  );
}
