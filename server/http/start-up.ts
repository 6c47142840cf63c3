/** What happens before the first request. */
import { CoalmineError } from "@/server/domain/errors";
import { log } from "./log";
import { allowLongUploads } from "./long-uploads";

/**
 * Opens everything. A wrong setting ends the process with its name and the reason; a store that cannot be opened now does
 * not: health says 503, and each request tries again.
 */
export async function startUp(open: () => Promise<unknown>): Promise<void> {
  allowLongUploads();
  try {
    await open();
  } catch (error) {
    if (error instanceof CoalmineError && error.code === "invalid") {
      console.error(`Coalmine does not start. ${error.message}`);
      process.exit(1);
    }
    const why = error instanceof CoalmineError ? error.message : "";
    log().error({ err: error }, `the store could not be opened; the next request tries again. ${why}`.trim());
  }
}
