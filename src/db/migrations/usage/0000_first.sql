CREATE TABLE `daily_totals` (
	`day` text PRIMARY KEY NOT NULL,
	`requests` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_usage` (
	`key_id` integer NOT NULL,
	`day` text NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`key_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `key_use` (
	`key_id` integer PRIMARY KEY NOT NULL,
	`last_used_at` text NOT NULL
);
