/** `npm run up`: install what is missing, build what changed, serve. Opening the store brings its schema up to date. */
import { ensureInstalled } from "./install.mjs";
import { ensureBuilt } from "./product.mjs";
import { address, checkAddress, serve } from "./start.mjs";

const at = address();
await checkAddress(at);
await ensureInstalled();
await ensureBuilt();
await serve(at);
