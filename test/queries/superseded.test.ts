import { expect, it } from "vitest";
import { openSqliteStore } from "@/db/sqlite/sqlite-store";
import { settleAll } from "@/server/derive/settle";
import { incidentDetail } from "@/server/queries/incident-detail";
import { listIncidents } from "@/server/queries/list-incidents";
import { deliver, madeLink, madeObservation, T0 } from "../store/made-rows";

it("an incident whose pod turns out to be a sandbox's is found by its old id too", async () => {
  const store = await openSqliteStore({ dataDir: ":memory:" });
  const [pod, sandbox] = ["pod:default/p1", "sandbox:default/s1"];
  await deliver(store, { id: "b1" }, { observations: [madeObservation({ key: "k1", refs: [pod] })], touched: [pod] });
  await settleAll(store);
  const page = { limit: 10, cursor: null };
  const [before] = (await listIncidents(store, { page })).items;
  await deliver(store, { id: "b2" }, { links: [madeLink(pod, sandbox, { since: T0 - 1000 })], touched: [pod] });
  await settleAll(store);
  const [after, ...others] = (await listIncidents(store, { page })).items;
  expect(others).toEqual([]);
  expect(after?.id).not.toBe(before?.id);
  const found = await incidentDetail(store, { id: before?.id ?? "" });
  expect(found).toMatchObject({ id: after?.id, supersededBy: after?.id, subject: { kind: "sandbox", id: "s1" } });
  expect(await incidentDetail(store, { id: after?.id ?? "" })).not.toHaveProperty("supersededBy");
  await expect(incidentDetail(store, { id: "never" })).rejects.toMatchObject({ code: "not_found" });
  await store.close();
});
