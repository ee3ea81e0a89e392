CREATE TABLE `erased_keys` (
	`key_id` integer PRIMARY KEY NOT NULL,
	`erased_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_inbox` (
	`id` integer PRIMARY KEY NOT NULL,
	`records` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `monthly_usage` (
	`owner` text NOT NULL,
	`month` text NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`owner`, `month`)
);
--> statement-breakpoint
CREATE TABLE `request_logs` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`key_id` integer NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`query` text NOT NULL,
	`status` integer NOT NULL,
	`latency_us` integer NOT NULL,
	`bytes` integer NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_logs_key` ON `request_logs` (`key_id`,`at`);--> statement-breakpoint
CREATE INDEX `request_logs_time` ON `request_logs` (`at`);