/** Raw lines: searched, and one between its neighbours. */
import { z } from "zod";
import { pageOf, paging, text } from "../params";
import { defineRoute, type Route } from "../route";
import { linesAround, rawLine, searchBeside } from "../schemas/search";
import { searchFilter, searchInput } from "../search-params";
import { readingIn } from "../services";

const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().max(most));

export const searchRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/search",
    need: "viewer",
    operation: "searchLines",
    summary:
      "Raw lines that hold all words, newest first. A call looks through a bounded part of them and says how far in `looked`: there may be more behind `next` even where few were found.",
    query: z.strictObject({ ...searchFilter, ...paging }),
    answer: {
      description: "Lines, and in `looked` ({blocks, lines, back}) how far the call looked.",
      schema: rawLine,
      list: true,
    },
    handle: ({ query, services }) => readingIn(services).searchLines({ ...searchInput(query), page: pageOf(query) }),
  }),
  defineRoute({
    method: "GET",
    path: "/search/beside",
    need: "viewer",
    operation: "searchBeside",
    summary: "The newest incidents and rollouts whose own words hold what is searched for.",
    query: z.strictObject(searchFilter),
    answer: { description: "At most 8 of each.", schema: searchBeside },
    handle: ({ query, services }) => readingIn(services).searchBeside(searchInput(query)),
  }),
  defineRoute({
    method: "GET",
    path: "/lines",
    need: "viewer",
    operation: "getLines",
    summary: "One raw line between those before and after it: of its own stream, or of its whole delivery.",
    query: z.strictObject({
      batch: text.meta({ description: "The delivery." }),
      line: wholeNumber(Number.MAX_SAFE_INTEGER).meta({ description: "The line there, from 1.", type: "integer" }),
      part: wholeNumber(Number.MAX_SAFE_INTEGER)
        .prefault("0")
        .meta({ description: "Of records that share the line.", type: "integer" }),
      around: wholeNumber(200).prefault("5").meta({ description: "Lines on each side, at most 200.", type: "integer" }),
      of: z.enum(["stream", "delivery"]).default("stream"),
    }),
    answer: { description: "The line and its neighbours, oldest first.", schema: linesAround },
    handle: ({ query, services }) => readingIn(services).linesAround(query),
  }),
];
