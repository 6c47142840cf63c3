/** Control: settings of runs and small named values. */
import type { RunSettings } from "@/server/domain/run";
import type { Control } from "@/server/domain/store";
import type { Connection } from "./connection";
import { touchRuns } from "./run-versions";
import type { runSettings } from "./schema-derived";
import type { PlainMethods } from "./storage-errors";

type SettingsRow = typeof runSettings.$inferSelect;

const PUT_RUN = `INSERT OR REPLACE INTO run_settings
  (id, name, planned, config, notes, labels, aliases, passAt, endedAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT_SETTING = "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)";

export function controlMethods(connection: Connection): PlainMethods<Control> {
  return {
    runSettings(id) {
      const row = connection.statement("SELECT * FROM run_settings WHERE id = ?").get(id) as SettingsRow | undefined;
      return row ? toSettings(row) : null;
    },
    allRunSettings() {
      const rows = connection.statement("SELECT * FROM run_settings ORDER BY id").all() as SettingsRow[];
      return rows.map(toSettings);
    },
    putRunSettings(s) {
      const json = [JSON.stringify(s.config), s.notes, JSON.stringify(s.labels), JSON.stringify(s.aliases)] as const;
      const values = [s.id, s.name, s.planned, ...json, s.passAt, s.endedAt, s.updatedAt];
      connection.write(() => {
        connection.statement(PUT_RUN).run(...values);
        touchRuns(connection, [s.id]);
      });
    },
    deleteRunSettings(id) {
      connection.write(() => {
        connection.statement("DELETE FROM run_settings WHERE id = ?").run(id);
        touchRuns(connection, [id]);
      });
    },
    setting(name) {
      const row = connection.statement("SELECT value FROM settings WHERE name = ?").get(name);
      return row ? (row as { value: string }).value : null;
    },
    putSetting(name, value) {
      connection.write(() => connection.statement(PUT_SETTING).run(name, value));
    },
  };
}

function toSettings(row: SettingsRow): RunSettings {
  return {
    ...row,
    config: JSON.parse(row.config) as RunSettings["config"],
    labels: JSON.parse(row.labels) as RunSettings["labels"],
    aliases: JSON.parse(row.aliases) as string[],
  };
}
