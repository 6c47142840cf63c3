CREATE TABLE `pieces` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`batch` integer NOT NULL,
	`stream` text NOT NULL,
	`edge` text NOT NULL,
	`fromAt` integer NOT NULL,
	`nanos` integer NOT NULL,
	`until` integer NOT NULL,
	`run` text,
	`origin` text NOT NULL,
	`body` text NOT NULL,
	`keys` text NOT NULL,
	`rejects` text NOT NULL,
	`looked` integer NOT NULL,
	`joined` text
);
--> statement-breakpoint
CREATE INDEX `piece_stream` ON `pieces` (`stream`,`until`);--> statement-breakpoint
CREATE INDEX `piece_batch` ON `pieces` (`batch`);--> statement-breakpoint
CREATE INDEX `piece_until` ON `pieces` (`until`);--> statement-breakpoint
CREATE INDEX `piece_news` ON `pieces` (`stream`) WHERE looked = 0;--> statement-breakpoint
ALTER TABLE `rejects` ADD `aside` integer DEFAULT 0 NOT NULL;