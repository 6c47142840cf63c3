/** One connection to the embedded database: settings, migrations, cached statements and write transactions. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { CoalmineError } from "@/server/domain/errors";
import { sliceMayContain } from "@/server/domain/token-filter";
import { bringUpToDate, refuseNewer } from "./schema-version";
import { lockForWriting } from "./writer-lock";

export interface ConnectOptions {
  /** Folder of the database file, made when missing; `:memory:` for a store that ends with the process. */
  dataDir: string;
  /** A second connection, for questions only, to a file that a writer has set up. */
  readOnly?: boolean;
  /** Folder of the SQL migrations, where code is bundled away from it. */
  migrationsFolder?: string;
  /** Most bytes that the database may take; a write past it fails with `storage_full`. */
  maxBytes?: number;
  /** Sees every question's SQL text. */
  onQuestion?: (text: string) => void;
}

/** A statement whose values are bound, never put into its text. */
export type Statement = Pick<Database.Statement<unknown[]>, "run" | "get" | "all" | "iterate">;

const BUSY_MS = 10_000;
const MAX_STATEMENTS = 400;
const PAGE_BYTES = 4096;
const DATABASE_FILE = "coalmine.db";

export class Connection {
  readonly client: Database.Database;
  readonly readOnly: boolean;
  private readonly file: string | null;
  private readonly dialect = new SQLiteSyncDialect();
  private readonly statements = new Map<string, Statement>();
  /** Held by a writer as long as it is open. */
  private lock: Database.Database | undefined;
  private readonly onQuestion: ((text: string) => void) | undefined;

  constructor(options: ConnectOptions) {
    const memory = options.dataDir === ":memory:";
    this.readOnly = options.readOnly === true;
    this.onQuestion = options.onQuestion;
    this.file = memory ? null : join(options.dataDir, DATABASE_FILE);
    if (!memory && !this.readOnly) mkdirSync(options.dataDir, { recursive: true });
    this.client = new Database(this.file ?? ":memory:", { readonly: this.readOnly, timeout: BUSY_MS });
    try {
      if (!memory && !this.readOnly) this.lock = lockForWriting(options.dataDir);
      this.setUp(migrationsFolder(options), options.maxBytes);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private setUp(folder: string, maxBytes: number | undefined): void {
    refuseNewer(this.client, folder);
    // Only before the first table can the file be told to give space back without a full rewrite.
    if (!this.readOnly) this.client.pragma(`page_size = ${PAGE_BYTES}`);
    if (!this.readOnly) this.client.pragma("auto_vacuum = INCREMENTAL");
    if (!this.readOnly) this.client.pragma("journal_mode = WAL");
    this.client.pragma("synchronous = FULL");
    this.client.pragma("cache_size = -32000");
    this.client.pragma("temp_store = MEMORY");
    // Pages of big indexes are dirtied by many commits before they are written back once.
    this.client.pragma("wal_autocheckpoint = 16000");
    this.client.pragma("journal_size_limit = 134217728");
    // Full Unicode case folding: SQLite's own lower() knows ASCII only.
    this.client.function("has_text", { deterministic: true }, (text: unknown, lower: unknown) =>
      typeof text === "string" && text.toLowerCase().includes(String(lower)) ? 1 : 0,
    );
    this.client.function("may_contain", { deterministic: true }, (slice: unknown, hash: unknown) =>
      slice instanceof Uint8Array && sliceMayContain(slice, Number(hash)) ? 1 : 0,
    );
    if (this.readOnly) this.mustBeSetUp();
    else bringUpToDate(this.client, folder);
    if (maxBytes !== undefined)
      this.client.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / PAGE_BYTES))}`);
  }

  private mustBeSetUp(): void {
    const found = this.client.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'version'").get();
    if ((found as { n: number }).n === 0) throw new CoalmineError("unavailable", "The store is not set up yet.");
  }

  /** A prepared statement, kept for the next time. Text is bound well formed, so that what is read back equals what was written. */
  statement(text: string): Statement {
    const known = this.statements.get(text);
    if (known) return known;
    if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
    const prepared = this.client.prepare<unknown[]>(text);
    const statement: Statement = {
      run: (...values) => prepared.run(...wellFormed(values)),
      get: (...values) => prepared.get(...wellFormed(values)),
      all: (...values) => prepared.all(...wellFormed(values)),
      iterate: (...values) => prepared.iterate(...wellFormed(values)),
    };
    this.statements.set(text, statement);
    return statement;
  }

  /** Rows of a question; values are always bound. */
  all<Row>(question: SQL): Row[] {
    const { sql, params } = this.dialect.sqlToQuery(question);
    this.onQuestion?.(sql);
    return this.statement(sql).all(...params) as Row[];
  }

  one<Row>(question: SQL): Row | undefined {
    return this.all<Row>(question)[0];
  }

  /** Runs a change; returns how many rows it touched. */
  run(change: SQL): number {
    const { sql, params } = this.dialect.sqlToQuery(change);
    return this.statement(sql).run(...params).changes;
  }

  /** One durable transaction that also moves the data version on; `work` gets the new version. */
  write<T>(work: (version: number) => T): T {
    if (this.readOnly) throw new CoalmineError("unavailable", "The store is open for reading only.");
    return this.client
      .transaction(() => {
        const bumped = this.statement(
          "INSERT INTO version (one, value) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET value = value + 1 RETURNING value",
        ).get() as { value: number };
        return work(bumped.value);
      })
      .immediate();
  }

  /** Bytes of the database and its log; of an in-memory store, of its pages. */
  bytes(): number {
    if (this.file === null) {
      const pages = this.client.pragma("page_count", { simple: true }) as number;
      return pages * (this.client.pragma("page_size", { simple: true }) as number);
    }
    return [this.file, `${this.file}-wal`].reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0);
  }

  close(): void {
    this.statements.clear();
    this.client.close();
    this.lock?.close();
  }
}

/** SQLite would keep half a character as bytes that are no UTF-8, and give back others: a row that no question finds again. */
function wellFormed(values: unknown[]): unknown[] {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === "string" && !value.isWellFormed()) values[i] = value.toWellFormed();
  }
  return values;
}

function migrationsFolder(options: ConnectOptions): string {
  if (options.migrationsFolder !== undefined) return options.migrationsFolder;
  const beside = join(dirname(fileURLToPath(import.meta.url)), "migrations");
  return existsSync(beside) ? beside : join(process.cwd(), "db", "sqlite", "migrations");
}
