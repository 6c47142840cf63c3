import type { CanaryService } from "@/server/canary/service";
import { CoalmineError } from "@/server/domain/errors";
import type { HttpServices } from "./services";

/** Throws `unavailable` in a process that runs no canaries. */
export function canariesOf({ canaries }: HttpServices): CanaryService {
  if (canaries) return canaries;
  throw new CoalmineError("unavailable", "This process runs no canaries.");
}
