CREATE TABLE `drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer,
	`key_id` integer,
	`state` text NOT NULL,
	`revision` integer NOT NULL,
	`attempts` integer NOT NULL,
	`file_name` text NOT NULL,
	`bytes` integer,
	`sha256` text,
	`address` text,
	`fetched` text,
	`dataset` text,
	`changes` text NOT NULL,
	`answers` text,
	`base_version` integer,
	`version` integer,
	`problem` text,
	`created_at` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `drafts_state` ON `drafts` (`state`);--> statement-breakpoint
CREATE INDEX `drafts_account` ON `drafts` (`account_id`);