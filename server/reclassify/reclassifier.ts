/** Judging what is stored by today's rules, as a job of the thread that writes: in chunks, beside deliveries, taken up again after a kill. */
import { BUILT_IN, type Classifier } from "@/server/classify/classifier";
import { settleQueued } from "@/server/derive/settle-queued";
import { CoalmineError } from "@/server/domain/errors";
import type { ReclassifyAnswer, ReclassifyPreview, ReclassifyService } from "@/server/domain/reclassify";
import type { Store } from "@/server/domain/store";
import { previewOf } from "./preview";
import { staleRows } from "./stale-rows";

/** Named value that says that a run was begun, by the version of its rules. */
const BEGUN = "reclassify";
/** While a run goes on, pages are at most about this far behind it. */
const SETTLE_EVERY_MS = 5000;

interface UnderWay {
  state: "previewing" | "running";
  done: number;
  total: number;
  startedAt: number;
  work: Promise<void>;
}

export class Reclassifier implements ReclassifyService {
  private underWay: UnderWay | null = null;
  private preview: ReclassifyPreview | null = null;
  private last: ReclassifyAnswer["last"] = null;
  private problem: string | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly store: Store,
    private readonly classifier: Classifier = BUILT_IN,
  ) {}

  /** Goes on with a run that a crash interrupted. What was begun under other rules is not finished unasked. */
  async resume(): Promise<void> {
    const begun = await this.store.setting(BEGUN);
    if (begun === this.classifier.version) await this.start("run");
    else if (begun) await this.store.putSetting(BEGUN, "");
  }

  async state(): Promise<ReclassifyAnswer> {
    const { done = 0, total = 0, state = "idle" as const, startedAt } = this.underWay ?? {};
    return {
      rulesVersion: this.classifier.version,
      state,
      stale: (await this.store.judgedOtherwise(this.classifier.version)).observations,
      done,
      total,
      startedAt: startedAt === undefined ? null : new Date(startedAt).toISOString(),
      preview: this.preview,
      last: this.last,
      problem: this.problem,
    };
  }

  async start(what: "preview" | "run"): Promise<ReclassifyAnswer> {
    if (this.underWay) throw new CoalmineError("conflict", `The reclassifying is ${this.underWay.state} already.`);
    const state = what === "run" ? ("running" as const) : ("previewing" as const);
    const underWay: UnderWay = { state, done: 0, total: 0, startedAt: Date.now(), work: Promise.resolve() };
    this.underWay = underWay;
    this.problem = null;
    underWay.work = this.work(underWay).catch((error: unknown) => {
      this.problem = this.stopping.signal.aborted ? null : error instanceof Error ? error.message : String(error);
    });
    void underWay.work.finally(() => {
      this.underWay = null;
    });
    return await this.state();
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await this.underWay?.work;
  }

  /** Stops between two chunks; a run goes on at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }

  private async work(underWay: UnderWay): Promise<void> {
    underWay.total = (await this.store.judgedOtherwise(this.classifier.version)).observations;
    const onProgress = (done: number) => {
      underWay.done = done;
      underWay.total = Math.max(underWay.total, done);
    };
    if (underWay.state === "previewing") {
      this.preview = await previewOf(this.store, this.classifier, { signal: this.stopping.signal, onProgress });
    } else {
      await this.run(onProgress);
      this.preview = null;
    }
  }

  private async run(onProgress: (done: number) => void): Promise<void> {
    const { store, classifier } = this;
    await store.putSetting(BEGUN, classifier.version);
    let [done, changed, settledAt] = [0, 0, Date.now()];
    for await (const chunk of staleRows(store, classifier, this.stopping.signal)) {
      await store.rejudge(classifier.version, chunk.rows, chunk.done);
      done += chunk.rows.length;
      changed += chunk.rows.filter((row) => row.changed).length;
      onProgress(done);
      if (Date.now() - settledAt < SETTLE_EVERY_MS) continue;
      await settleQueued(store);
      settledAt = Date.now();
    }
    await settleQueued(store);
    await store.putSetting(BEGUN, "");
    this.last = { endedAt: new Date().toISOString(), observations: done, changed };
  }
}
