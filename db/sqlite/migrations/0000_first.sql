CREATE TABLE `batches` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`digest` text,
	`state` text NOT NULL,
	`format` text NOT NULL,
	`run` text,
	`source` text NOT NULL,
	`node` text,
	`cluster` text NOT NULL,
	`tz` text,
	`origin` text NOT NULL,
	`receivedAt` integer NOT NULL,
	`completedAt` integer,
	`name` text,
	`bytes` integer NOT NULL,
	`records` integer NOT NULL,
	`observations` integer NOT NULL,
	`rollouts` integer NOT NULL,
	`routine` integer NOT NULL,
	`duplicates` integer NOT NULL,
	`rejected` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `batch_id` ON `batches` (`id`);--> statement-breakpoint
CREATE INDEX `batch_digest` ON `batches` (`digest`) WHERE digest IS NOT NULL;--> statement-breakpoint
CREATE INDEX `batch_received` ON `batches` (`receivedAt`,`id`);--> statement-breakpoint
CREATE INDEX `batch_run` ON `batches` (`run`);--> statement-breakpoint
CREATE TABLE `facts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`main` integer NOT NULL,
	`refHash` integer NOT NULL,
	`ref` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`rank` integer NOT NULL,
	`at` integer
);
--> statement-breakpoint
CREATE INDEX `fact_ref` ON `facts` (`refHash`,`main`,`batch`);--> statement-breakpoint
CREATE INDEX `fact_batch` ON `facts` (`batch`);--> statement-breakpoint
CREATE INDEX `fact_run` ON `facts` (`value`) WHERE name = 'run';--> statement-breakpoint
CREATE TABLE `links` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`main` integer NOT NULL,
	`fromHash` integer NOT NULL,
	`toHash` integer NOT NULL,
	`fromRef` text NOT NULL,
	`toRef` text NOT NULL,
	`since` integer,
	`until` integer,
	`how` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_from` ON `links` (`fromHash`,`main`,`batch`);--> statement-breakpoint
CREATE INDEX `link_to` ON `links` (`toHash`,`main`);--> statement-breakpoint
CREATE INDEX `link_batch` ON `links` (`batch`);--> statement-breakpoint
CREATE TABLE `marks` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`run` text,
	`node` text,
	`origin` text NOT NULL,
	`firstAt` integer,
	`lastAt` integer
);
--> statement-breakpoint
CREATE INDEX `mark_batch` ON `marks` (`batch`);--> statement-breakpoint
CREATE INDEX `mark_run` ON `marks` (`run`,`origin`);--> statement-breakpoint
CREATE INDEX `mark_node` ON `marks` (`node`,`origin`);--> statement-breakpoint
CREATE TABLE `observation_refs` (
	`refHash` integer NOT NULL,
	`observation` integer NOT NULL,
	PRIMARY KEY(`refHash`, `observation`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `observations` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`main` integer NOT NULL,
	`keyHash` integer NOT NULL,
	`key` text NOT NULL,
	`refs` text NOT NULL,
	`at` integer,
	`atAssumed` integer NOT NULL,
	`line` integer NOT NULL,
	`cluster` text NOT NULL,
	`run` text,
	`node` text,
	`source` text NOT NULL,
	`origin` text NOT NULL,
	`label` text,
	`kind` text NOT NULL,
	`class` text,
	`rule` text,
	`subCause` text,
	`confidence` text,
	`rulesVersion` text NOT NULL,
	`text` text NOT NULL,
	`evidence` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `observation_key` ON `observations` (`keyHash`);--> statement-breakpoint
CREATE INDEX `observation_batch` ON `observations` (`batch`);--> statement-breakpoint
CREATE INDEX `observation_run` ON `observations` (`run`,`kind`,`at`) WHERE main = 1;--> statement-breakpoint
CREATE INDEX `observation_at` ON `observations` (`at`) WHERE main = 1;--> statement-breakpoint
CREATE TABLE `planned` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`run` text,
	`task` text NOT NULL,
	`taskIndex` integer NOT NULL,
	`groupId` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `planned_group` ON `planned` (`groupId`,`batch`);--> statement-breakpoint
CREATE INDEX `planned_run` ON `planned` (`run`,`task`,`taskIndex`,`groupId`);--> statement-breakpoint
CREATE INDEX `planned_batch` ON `planned` (`batch`);--> statement-breakpoint
CREATE TABLE `rejects` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`line` integer NOT NULL,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`sample` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reject_batch` ON `rejects` (`batch`,`line`);--> statement-breakpoint
CREATE TABLE `rollouts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`main` integer NOT NULL,
	`id` text NOT NULL,
	`content` text NOT NULL,
	`groupId` text NOT NULL,
	`cluster` text NOT NULL,
	`origin` text NOT NULL,
	`source` text NOT NULL,
	`run` text,
	`task` text NOT NULL,
	`taskIndex` integer NOT NULL,
	`attempt` integer NOT NULL,
	`agent` text,
	`startedAt` integer,
	`endedAt` integer,
	`reward` real,
	`producerPassed` integer,
	`masked` integer,
	`scored` integer NOT NULL,
	`emptyOutput` integer,
	`hasPatch` integer,
	`sandboxes` text NOT NULL,
	`node` text,
	`error` text,
	`config` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rollout_id` ON `rollouts` (`id`,`content`);--> statement-breakpoint
CREATE INDEX `rollout_group` ON `rollouts` (`groupId`);--> statement-breakpoint
CREATE INDEX `rollout_batch` ON `rollouts` (`batch`);--> statement-breakpoint
CREATE INDEX `rollout_run` ON `rollouts` (`run`);--> statement-breakpoint
CREATE TABLE `sightings` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`ref` text NOT NULL,
	`run` text,
	`node` text,
	`format` text NOT NULL,
	`hour` integer,
	`lines` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sighting_batch` ON `sightings` (`batch`,`ref`,`format`,`hour`);--> statement-breakpoint
CREATE INDEX `sighting_run` ON `sightings` (`run`,`hour`);--> statement-breakpoint
CREATE TABLE `incidents` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`ref` text NOT NULL,
	`class` text NOT NULL,
	`family` text NOT NULL,
	`outcome` text NOT NULL,
	`confidence` text NOT NULL,
	`cluster` text NOT NULL,
	`origin` text NOT NULL,
	`node` text,
	`run` text,
	`rollout` text,
	`sandbox` text,
	`pod` text,
	`configKey` text,
	`source` text NOT NULL,
	`hitSandboxes` integer NOT NULL,
	`hitRollouts` integer NOT NULL,
	`time` integer NOT NULL,
	`lastAt` integer,
	`attempts` integer NOT NULL,
	`atLeast` integer NOT NULL,
	`evidence` integer NOT NULL,
	`keys` text NOT NULL,
	`rule` text,
	`subCause` text,
	`symptoms` text NOT NULL,
	`summary` text NOT NULL,
	`partOf` text,
	`rulesVersion` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `incident_id` ON `incidents` (`id`);--> statement-breakpoint
CREATE INDEX `incident_ref` ON `incidents` (`ref`);--> statement-breakpoint
CREATE INDEX `incident_run` ON `incidents` (`run`,`time`);--> statement-breakpoint
CREATE INDEX `incident_time` ON `incidents` (`time`);--> statement-breakpoint
CREATE INDEX `incident_node` ON `incidents` (`node`,`time`);--> statement-breakpoint
CREATE INDEX `incident_rollout` ON `incidents` (`rollout`);--> statement-breakpoint
CREATE TABLE `queue` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ref` text NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `queue_ref` ON `queue` (`ref`);--> statement-breakpoint
CREATE TABLE `run_settings` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`planned` integer,
	`config` text NOT NULL,
	`notes` text,
	`labels` text NOT NULL,
	`aliases` text NOT NULL,
	`passAt` real NOT NULL,
	`endedAt` integer,
	`updatedAt` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `verdicts` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`content` text NOT NULL,
	`groupId` text NOT NULL,
	`rollout` integer NOT NULL,
	`run` text,
	`origin` text NOT NULL,
	`task` text NOT NULL,
	`reward` real,
	`masked` integer,
	`verdict` text NOT NULL,
	`effective` integer NOT NULL,
	`class` text,
	`family` text,
	`incident` text,
	`confidence` text,
	`node` text,
	`sandbox` text,
	`configKey` text,
	`suspect` integer NOT NULL,
	`absorbed` integer NOT NULL,
	`time` integer NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verdict_id` ON `verdicts` (`id`,`content`);--> statement-breakpoint
CREATE INDEX `verdict_group` ON `verdicts` (`groupId`);--> statement-breakpoint
CREATE INDEX `verdict_run` ON `verdicts` (`run`,`effective`,`time`,`task`,`verdict`,`family`,`class`,`node`,`configKey`,`masked`,`reward`,`absorbed`,`origin`);--> statement-breakpoint
CREATE INDEX `verdict_time` ON `verdicts` (`effective`,`time`,`run`,`verdict`,`family`,`class`,`node`,`configKey`,`masked`,`reward`,`absorbed`,`origin`);--> statement-breakpoint
CREATE INDEX `verdict_node` ON `verdicts` (`node`,`effective`,`time`);--> statement-breakpoint
CREATE INDEX `verdict_run_verdict` ON `verdicts` (`run`,`verdict`,`effective`,`time`);--> statement-breakpoint
CREATE TABLE `version` (
	`one` integer PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
