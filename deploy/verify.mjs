/** `npm run verify`: everything that must hold before a change lands, from a clean clone on. */
import { ensureInstalled } from "./install.mjs";
import { architecture, browser, build, canary, cases, format, integration, lint, runSteps, slow, types, unit } from "./steps.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";

await ensureInstalled();
await ensureSystemPackages();
await runSteps([format, lint, build, types, architecture, unit, slow, canary, integration, cases, browser]);
