CREATE TABLE `dataset_usage` (
	`day` text NOT NULL,
	`dataset_id` text NOT NULL,
	`key_id` integer NOT NULL,
	`format` text NOT NULL,
	`calls` integer NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`day`, `dataset_id`, `key_id`, `format`)
);
--> statement-breakpoint
CREATE INDEX `dataset_usage_key` ON `dataset_usage` (`key_id`);