import { Banner } from "@/app/_ui/banner";
import type { RunSummary } from "@/server/domain/answers";

/** Says when a run's numbers are no measurement, and why. */
export function ValidityBanner({ run }: { run: RunSummary }) {
  if (run.valid.ok || run.infraFailed === null) return null;
  return <Banner>{run.valid.reason ?? "Not a valid measurement."}</Banner>;
}
