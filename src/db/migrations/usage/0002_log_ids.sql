PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_request_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
INSERT INTO `__new_request_logs`("id", "at", "key_id", "method", "path", "query", "status", "latency_us", "bytes", "ip", "user_agent", "request_id") SELECT "id", "at", "key_id", "method", "path", "query", "status", "latency_us", "bytes", "ip", "user_agent", "request_id" FROM `request_logs`;--> statement-breakpoint
DROP TABLE `request_logs`;--> statement-breakpoint
ALTER TABLE `__new_request_logs` RENAME TO `request_logs`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `request_logs_key` ON `request_logs` (`key_id`,`at`);--> statement-breakpoint
CREATE INDEX `request_logs_time` ON `request_logs` (`at`);