CREATE TABLE `dirty_cells` (
	`seq` integer PRIMARY KEY NOT NULL,
	`run` text,
	`time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dirty_cell` ON `dirty_cells` (`run`,`time`);--> statement-breakpoint
CREATE TABLE `node_cells` (
	`seq` integer PRIMARY KEY NOT NULL,
	`run` text,
	`time` integer NOT NULL,
	`origin` text NOT NULL,
	`node` text,
	`configKey` text,
	`verdict` text NOT NULL,
	`family` text,
	`class` text,
	`masked` integer,
	`n` integer NOT NULL,
	`rewarded` integer NOT NULL,
	`rewardSum` real NOT NULL,
	`absorbed` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `node_cell_run` ON `node_cells` (`run`,`time`);--> statement-breakpoint
CREATE INDEX `node_cell_time` ON `node_cells` (`time`);--> statement-breakpoint
CREATE INDEX `node_cell_node` ON `node_cells` (`node`,`time`);--> statement-breakpoint
CREATE TABLE `replaced_incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `run_cells` (
	`seq` integer PRIMARY KEY NOT NULL,
	`run` text,
	`time` integer NOT NULL,
	`origin` text NOT NULL,
	`node` text,
	`configKey` text,
	`verdict` text NOT NULL,
	`family` text,
	`class` text,
	`masked` integer,
	`n` integer NOT NULL,
	`rewarded` integer NOT NULL,
	`rewardSum` real NOT NULL,
	`absorbed` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `run_cell_run` ON `run_cells` (`run`,`time`);--> statement-breakpoint
CREATE INDEX `run_cell_time` ON `run_cells` (`time`);--> statement-breakpoint
CREATE TABLE `run_versions` (
	`run` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
-- Every hour that holds rollouts waits for its cells; -9007199254740991 stands for rollouts without a time.
INSERT INTO `dirty_cells` (`run`, `time`) SELECT DISTINCT `run`,
	CASE WHEN `time` = -9007199254740991 THEN `time` ELSE `time` - ((`time` % 3600000) + 3600000) % 3600000 END
	FROM `verdicts` WHERE `effective` = 1;--> statement-breakpoint
INSERT OR IGNORE INTO `run_versions` (`run`, `version`) SELECT DISTINCT `run`, (SELECT `value` FROM `version`) FROM `marks`
	WHERE `run` IS NOT NULL AND EXISTS (SELECT 1 FROM `version`);
