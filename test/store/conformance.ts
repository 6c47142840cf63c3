/** What every store must do; each part is a file of its own. */
import { describe } from "vitest";
import type { Store } from "@/server/domain/store";
import { archiveConforms } from "./conform-archive";
import { deliveriesConform } from "./conform-deliveries";
import { derivingConforms } from "./conform-deriving";
import { judgingConforms } from "./conform-judging";
import { piecesConform } from "./conform-pieces";
import { questionsConform } from "./conform-questions";
import { repeatsConform } from "./conform-repeats";
import { rereadingConforms } from "./conform-rereading";
import { retentionConforms } from "./conform-retention";
import { undoConforms } from "./conform-undo";

export type OpenEmpty = () => Promise<Store>;

/** Runs the suite; `open` must give a new, empty store each time. The suite closes what it opens. */
export function storeConformance(name: string, open: OpenEmpty): void {
  describe(`a store on ${name}`, () => {
    deliveriesConform(open);
    repeatsConform(open);
    derivingConforms(open);
    judgingConforms(open);
    rereadingConforms(open);
    questionsConform(open);
    undoConforms(open);
    retentionConforms(open);
    archiveConforms(open);
    piecesConform(open);
  });
}
