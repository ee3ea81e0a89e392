CREATE TABLE `datasets` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`last_version` integer NOT NULL,
	`served_version` integer,
	`domain` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `datasets_id_unique` ON `datasets` (`id`);--> statement-breakpoint
CREATE INDEX `datasets_domain_id` ON `datasets` (`domain`,`id`);--> statement-breakpoint
CREATE TABLE `revision` (
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `versions` (
	`dataset_id` text NOT NULL,
	`version` integer NOT NULL,
	`previous_version` integer,
	`title` text NOT NULL,
	`description` text,
	`row_count` integer NOT NULL,
	`imported_at` text NOT NULL,
	`record` text NOT NULL,
	PRIMARY KEY(`dataset_id`, `version`),
	FOREIGN KEY (`dataset_id`) REFERENCES `datasets`(`id`) ON UPDATE no action ON DELETE no action
);
