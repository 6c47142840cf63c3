import { expect, test } from "vitest";
import { deliveriesSentence } from "@/app/ingest/deliveries-words";
import type { BatchAnswer } from "@/server/domain/answers";

const delivery = (records: number, rejected: number) => ({ records, rejected }) as BatchAnswer;

test("the page of deliveries says in a sentence what came and what of it could not be read", () => {
  expect(deliveriesSentence([], false)).toBe("Nothing was delivered yet.");
  expect(deliveriesSentence([delivery(70, 0), delivery(1, 0)], false)).toBe(
    "2 deliveries brought 71 records; every one was read.",
  );
  expect(deliveriesSentence([delivery(9, 2)], true)).toBe(
    "The newest 1 delivery brought 9 records; 2 of them could not be read.",
  );
});
