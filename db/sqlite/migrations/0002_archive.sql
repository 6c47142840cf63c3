CREATE TABLE `archive_blocks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`batch` integer NOT NULL,
	`run` text,
	`origin` text NOT NULL,
	`firstLine` integer NOT NULL,
	`lastLine` integer NOT NULL,
	`lines` integer NOT NULL,
	`firstAt` integer,
	`lastAt` integer,
	`since` integer NOT NULL,
	`until` integer NOT NULL,
	`rawBytes` integer NOT NULL,
	`senders` integer NOT NULL,
	`present` blob,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `archive_block_batch` ON `archive_blocks` (`batch`,`firstLine`);--> statement-breakpoint
CREATE INDEX `archive_block_run` ON `archive_blocks` (`run`,`until`);--> statement-breakpoint
CREATE INDEX `archive_block_until` ON `archive_blocks` (`until`);--> statement-breakpoint
CREATE TABLE `archive_filters` (
	`seq` integer PRIMARY KEY NOT NULL,
	`bits` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archive_senders` (
	`seq` integer PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`hash` integer NOT NULL,
	`senders` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `archive_senders_hash` ON `archive_senders` (`batch`,`hash`);