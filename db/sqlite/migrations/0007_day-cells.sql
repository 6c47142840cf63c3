CREATE TABLE `dirty_days` (
	`seq` integer PRIMARY KEY NOT NULL,
	`run` text,
	`time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dirty_day` ON `dirty_days` (`run`,`time`);--> statement-breakpoint
CREATE TABLE `node_days` (
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
CREATE INDEX `node_day_run` ON `node_days` (`run`,`time`);--> statement-breakpoint
CREATE INDEX `node_day_time` ON `node_days` (`time`);--> statement-breakpoint
CREATE INDEX `node_day_node` ON `node_days` (`node`,`time`);--> statement-breakpoint
CREATE TABLE `run_days` (
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
CREATE INDEX `run_day_run` ON `run_days` (`run`,`time`);--> statement-breakpoint
CREATE INDEX `run_day_time` ON `run_days` (`time`);--> statement-breakpoint
DROP INDEX `incident_run`;--> statement-breakpoint
CREATE INDEX `incident_run` ON `incidents` (`run`,`time`,`class`,`outcome`,`partOf`,`family`,`origin`);--> statement-breakpoint
-- Every day that holds rollouts waits for its cells; -9007199254740991 stands for rollouts without a time.
INSERT INTO `dirty_days` (`run`, `time`) SELECT DISTINCT `run`,
	CASE WHEN `time` = -9007199254740991 THEN `time` ELSE `time` - ((`time` % 86400000) + 86400000) % 86400000 END
	FROM (SELECT `run`, `time` FROM `run_cells` UNION ALL SELECT `run`, `time` FROM `dirty_cells`);
