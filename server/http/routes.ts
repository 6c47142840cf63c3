/** Every call of the API. A new one is one file under `routes/` and one line here. */
import type { Route } from "./route";
import { canaryRoutes } from "./routes/canaries";
import { compareRoutes } from "./routes/compare";
import { deliveryRoutes } from "./routes/deliveries";
import { demoRoutes } from "./routes/demo";
import { failureRoutes } from "./routes/failures";
import { findingRoutes } from "./routes/findings";
import { gateRoutes } from "./routes/gate";
import { incidentRoutes } from "./routes/incidents";
import { ingestRoutes } from "./routes/ingest";
import { intakeRoutes } from "./routes/intake";
import { liveRoutes } from "./routes/live";
import { maskRoutes } from "./routes/mask";
import { nodeDetailRoutes } from "./routes/node-detail";
import { nodeRoutes } from "./routes/nodes";
import { productRoutes } from "./routes/product";
import { reclassifyRoutes } from "./routes/reclassify";
import { retentionRoutes } from "./routes/retention";
import { rolloutRoutes } from "./routes/rollouts";
import { ruleRoutes } from "./routes/rules";
import { runSettingRoutes } from "./routes/run-settings";
import { runRoutes } from "./routes/runs";
import { searchRoutes } from "./routes/search";
import { sessionRoutes } from "./routes/session";
import { targetRoutes } from "./routes/targets";
import { uploadRoutes } from "./routes/uploads";

export const ROUTES: readonly Route[] = [
  ...ingestRoutes,
  ...uploadRoutes,
  ...intakeRoutes,
  ...runRoutes,
  ...runSettingRoutes,
  ...rolloutRoutes,
  ...failureRoutes,
  ...incidentRoutes,
  ...findingRoutes,
  ...compareRoutes,
  ...gateRoutes,
  ...maskRoutes,
  ...nodeRoutes,
  ...nodeDetailRoutes,
  ...deliveryRoutes,
  ...reclassifyRoutes,
  ...retentionRoutes,
  ...ruleRoutes,
  ...searchRoutes,
  ...liveRoutes,
  ...canaryRoutes,
  ...targetRoutes,
  ...demoRoutes,
  ...sessionRoutes,
  ...productRoutes,
];
