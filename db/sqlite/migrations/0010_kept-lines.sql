ALTER TABLE `batches` ADD `lines` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` ADD `unkept` integer DEFAULT 0 NOT NULL;