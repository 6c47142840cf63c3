ALTER TABLE `batches` ADD `rulesVersion` text;--> statement-breakpoint
UPDATE `batches` SET `rulesVersion` = (SELECT `rulesVersion` FROM `observations` WHERE `batch` = `batches`.`seq` LIMIT 1);
