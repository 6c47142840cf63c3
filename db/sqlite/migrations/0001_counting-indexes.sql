DROP INDEX `observation_run`;--> statement-breakpoint
CREATE INDEX `observation_run` ON `observations` (`run`,`kind`,`label`,`class`,`at`,`origin`) WHERE main = 1;--> statement-breakpoint
DROP INDEX `verdict_run_verdict`;--> statement-breakpoint
CREATE INDEX `verdict_run_verdict` ON `verdicts` (`run`,`verdict`,`effective`,`time`,`origin`);