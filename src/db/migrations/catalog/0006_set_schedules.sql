ALTER TABLE `sources` ADD `by_publisher` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `said_schedule` text;