/** `npm run check`: the fast part of `verify`, for every save: no build, no server, no browser, nothing that is slow. */
import { ensureInstalled } from "./install.mjs";
import { architecture, cases, format, lint, unit, runSteps, types } from "./steps.mjs";

await ensureInstalled();
await runSteps([format, lint, types], [architecture, unit, cases]);
