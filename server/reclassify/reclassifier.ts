/** Reading and judging what is stored by today's formats and rules, as a job of the thread that writes: in steps, beside deliveries, taken up again after a kill. */
import { BUILT_IN, type Classifier } from "@/server/classify/classifier";
import { settleQueued } from "@/server/derive/settle-queued";
import { CoalmineError } from "@/server/domain/errors";
import type {
  ReclassifyAnswer,
  ReclassifyPreview,
  ReclassifyScope,
  ReclassifyService,
  RereadCount,
} from "@/server/domain/reclassify";
import type { Store } from "@/server/domain/store";
import { previewOf, type ToReread } from "./preview";
import { type Rereader, RereadTally } from "./rereader";
import { staleRows } from "./stale-rows";

/** Named value that says that a run was begun: by the versions of rules and readers, and of which delivery. */
const BEGUN = "reclassify";
/** While a run goes on, pages are at most about this far behind it. */
const SETTLE_EVERY_MS = 5000;
const ALL: ReclassifyScope = { batch: null };

interface UnderWay {
  state: "previewing" | "running";
  of: ReclassifyScope;
  done: number;
  total: number;
  startedAt: number;
  work: Promise<void>;
  cancelled: AbortController;
}

export class Reclassifier implements ReclassifyService {
  private underWay: UnderWay | null = null;
  private preview: ReclassifyPreview | null = null;
  private last: ReclassifyAnswer["last"] = null;
  private problem: string | null = null;
  private readonly stopping = new AbortController();
  private settledAt = 0;

  constructor(
    private readonly store: Store,
    private readonly classifier: Classifier = BUILT_IN,
    private readonly rereader: Rereader | null = null,
  ) {}

  /** Goes on with a run that a crash interrupted. What was begun under other rules or formats is not finished unasked. */
  async resume(): Promise<void> {
    const begun = await this.store.setting(BEGUN);
    const [batch] = begun?.startsWith(this.versions) ? begun.slice(this.versions.length).split(" ").slice(1) : [];
    const of = { batch: batch ?? null };
    if (begun && begun === this.begunAs(of)) await this.start("run", of);
    else if (begun) await this.store.putSetting(BEGUN, "");
  }

  async state(): Promise<ReclassifyAnswer> {
    const { done = 0, total = 0, state = "idle" as const, startedAt } = this.underWay ?? {};
    const unread = this.rereader && (await this.store.readOtherwise(this.rereader.version));
    return {
      rulesVersion: this.classifier.version,
      readerVersion: this.rereader?.version ?? "",
      state,
      unread: {
        deliveries: unread?.batches.length ?? 0,
        lines: unread?.lines ?? 0,
        older: unread?.older ?? 0,
      },
      stale: (await this.store.judgedOtherwise(this.classifier.version)).observations,
      done,
      total,
      startedAt: startedAt === undefined ? null : new Date(startedAt).toISOString(),
      preview: this.preview,
      last: this.last,
      problem: this.problem,
    };
  }

  async start(what: "preview" | "run", of: ReclassifyScope = ALL): Promise<ReclassifyAnswer> {
    if (this.underWay) throw new CoalmineError("conflict", `The reclassifying is ${this.underWay.state} already.`);
    const state = what === "run" ? ("running" as const) : ("previewing" as const);
    const work = Promise.resolve();
    const underWay: UnderWay = {
      state,
      of,
      done: 0,
      total: 0,
      startedAt: Date.now(),
      work,
      cancelled: new AbortController(),
    };
    this.underWay = underWay;
    this.problem = null;
    underWay.work = this.work(underWay)
      .catch((error: unknown) => this.failed(underWay, error))
      .finally(() => {
        this.underWay = null;
      });
    return await this.state();
  }

  async cancel(): Promise<ReclassifyAnswer> {
    this.underWay?.cancelled.abort();
    await this.idle();
    return await this.state();
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await this.underWay?.work;
  }

  /** Stops between two steps; a run goes on at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }

  private async failed({ cancelled }: UnderWay, error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    if (!cancelled.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    else await this.store.putSetting(BEGUN, "");
    await this.settle();
  }

  private get versions(): string {
    return `${this.classifier.version}${this.rereader ? ` ${this.rereader.version}` : ""}`;
  }

  private begunAs({ batch }: ReclassifyScope): string {
    return batch === null ? this.versions : `${this.versions} ${batch}`;
  }

  private async work(underWay: UnderWay): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, underWay.cancelled.signal]);
    const toReread = await this.toReread(underWay.of);
    underWay.total = await this.total(underWay.of);
    const onProgress = (done: number) => {
      underWay.done = done;
      underWay.total = Math.max(underWay.total, done);
    };
    if (underWay.state === "previewing") {
      const isWanted = isIn(underWay.of);
      this.preview = await previewOf(this.store, this.classifier, toReread, { signal, isWanted, onProgress });
    } else {
      await this.run(underWay.of, toReread, { signal, onProgress });
      this.preview = null;
    }
  }

  private async total({ batch }: ReclassifyScope): Promise<number> {
    if (batch !== null) return 0;
    const unread = this.rereader && (await this.store.readOtherwise(this.rereader.version));
    return (unread?.lines ?? 0) + (await this.store.judgedOtherwise(this.classifier.version)).observations;
  }

  private async toReread({ batch }: ReclassifyScope): Promise<ToReread | null> {
    const { rereader } = this;
    if (!rereader) return null;
    const batches = batch === null ? (await this.store.readOtherwise(rereader.version)).batches : [batch];
    return batches.length > 0 ? { rereader, batches } : null;
  }

  private async run(
    of: ReclassifyScope,
    toReread: ToReread | null,
    { signal, onProgress }: { signal: AbortSignal; onProgress(done: number): void },
  ): Promise<void> {
    const { store, classifier } = this;
    await store.putSetting(BEGUN, this.begunAs(of));
    const reread = toReread && (await this.reread(toReread, signal, onProgress));
    const lines = reread?.lines ?? 0;
    let [done, changed] = [0, 0];
    for await (const chunk of staleRows(store, classifier, signal, isIn(of))) {
      await store.rejudge(classifier.version, chunk.rows, chunk.done);
      done += chunk.rows.length;
      changed += chunk.rows.filter((row) => row.changed).length;
      onProgress(lines + done);
      await this.settleNowAndThen();
    }
    await this.settle();
    await store.putSetting(BEGUN, "");
    this.last = { endedAt: new Date().toISOString(), observations: done, changed, reread };
  }

  private async reread(
    { rereader, batches }: ToReread,
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<RereadCount> {
    const tally = new RereadTally();
    const onStep: Parameters<Rereader["read"]>[1]["onStep"] = (step) => {
      tally.step(step);
      onProgress(tally.count.lines);
    };
    for (const batch of batches) {
      const left = await rereader.read(batch, { write: true, signal, onStep });
      if (left) tally.delivery(left);
      await this.settleNowAndThen();
    }
    return tally.count;
  }

  private async settleNowAndThen(): Promise<void> {
    if (Date.now() - this.settledAt >= SETTLE_EVERY_MS) await this.settle();
  }

  private async settle(): Promise<void> {
    await (this.rereader ? this.rereader.settle() : settleQueued(this.store));
    this.settledAt = Date.now();
  }
}

function isIn(of: ReclassifyScope): (batch: string) => boolean {
  return (batch) => of.batch === null || of.batch === batch;
}
