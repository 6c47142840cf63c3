/** The questions that read many blocks: asked in a reader's thread as a whole, so that only the answer travels. */
import type { Store } from "@/server/domain/store";
import { linesAround } from "./raw-lines";
import { searchBeside } from "./search-beside";
import { searchLines } from "./search-lines";
import { searchTail } from "./search-tail";

const QUESTIONS = { searchLines, searchBeside, searchTail, linesAround };

export type ReadingName = keyof typeof QUESTIONS;
export type Reading = {
  [name in ReadingName]: (input: Parameters<(typeof QUESTIONS)[name]>[1]) => ReturnType<(typeof QUESTIONS)[name]>;
};
export const READING_NAMES = Object.keys(QUESTIONS) as ReadingName[];

/** The questions put to `store` where the caller is. */
export function readingOf(store: Store): Reading {
  return {
    searchLines: (input) => searchLines(store, input),
    searchBeside: (input) => searchBeside(store, input),
    searchTail: (input) => searchTail(store, input),
    linesAround: (input) => linesAround(store, input),
  };
}
