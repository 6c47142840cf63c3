ALTER TABLE `batches` ADD `asked` text;--> statement-breakpoint
ALTER TABLE `batches` ADD `readerVersion` text;--> statement-breakpoint
ALTER TABLE `observations` ADD `part` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `observation_line` ON `observations` (`batch`,`line`,`part`);--> statement-breakpoint
ALTER TABLE `rejects` ADD `part` integer;