/** `npm run check`: the fast part of `verify`, for every save: no build, no server, no browser. */
import { ensureInstalled } from "./install.mjs";
import { architecture, cases, format, lint, quickUnit, runSteps, types } from "./steps.mjs";

await ensureInstalled();
await runSteps([format, lint, types, architecture, quickUnit, cases]);
