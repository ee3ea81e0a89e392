CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`actor` text NOT NULL,
	`event` text NOT NULL,
	`user_id` integer,
	`key_id` integer,
	`detail` text
);
--> statement-breakpoint
CREATE INDEX `audit_user` ON `audit` (`user_id`);--> statement-breakpoint
CREATE TABLE `mail_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`recipient` text NOT NULL,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`token_id` text,
	`queued_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`give_up_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`token_id`) REFERENCES `tokens`(`token_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mail_queue_due` ON `mail_queue` (`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `mail_queue_user` ON `mail_queue` (`user_id`);--> statement-breakpoint
CREATE INDEX `mail_queue_token` ON `mail_queue` (`token_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`token_hash` blob NOT NULL,
	`created_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_token_hash_length" CHECK(length("sessions"."token_hash") = 32)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`attempted_at` text NOT NULL,
	`success` integer NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text,
	`reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_ins_user` ON `sign_ins` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sign_ins_time` ON `sign_ins` (`attempted_at`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`token_id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`token_hash` blob NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_token_hash` ON `tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `tokens_user` ON `tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `tokens_expiry` ON `tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tombstones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`deleted_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text,
	`email_verified_at` text,
	`full_name` text,
	`organization` text,
	`language` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`plan`) REFERENCES `plans`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);--> statement-breakpoint
CREATE TABLE `__new_api_keys` (
	`key_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`label` text NOT NULL,
	`user_id` integer,
	`plan` text,
	`state` text NOT NULL,
	`secret_hash` blob NOT NULL,
	`hint` text NOT NULL,
	`created_at` text NOT NULL,
	`rotated_at` text,
	`revoked_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan`) REFERENCES `plans`(`name`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_plan_or_account" CHECK("plan" IS NOT NULL OR "user_id" IS NOT NULL),
	CONSTRAINT "api_keys_state" CHECK("state" IN ('active', 'revoked')),
	CONSTRAINT "api_keys_secret_hash_length" CHECK(length("secret_hash") = 32)
);
--> statement-breakpoint
INSERT INTO `__new_api_keys`("key_id", "label", "user_id", "plan", "state", "secret_hash", "hint", "created_at", "rotated_at", "revoked_at") SELECT "key_id", "label", NULL, "plan", "state", "secret_hash", "hint", "created_at", "rotated_at", "revoked_at" FROM `api_keys`;--> statement-breakpoint
-- The numbers of deleted keys stay taken: the copy counts on from where the table was.
DELETE FROM sqlite_sequence WHERE name = '__new_api_keys';--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT '__new_api_keys', seq FROM sqlite_sequence WHERE name = 'api_keys';--> statement-breakpoint
DROP TABLE `api_keys`;--> statement-breakpoint
ALTER TABLE `__new_api_keys` RENAME TO `api_keys`;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_secret_hash` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_plan` ON `api_keys` (`plan`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);