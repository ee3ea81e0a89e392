CREATE TABLE `api_keys` (
	`key_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`label` text NOT NULL,
	`plan` text NOT NULL,
	`state` text NOT NULL,
	`secret_hash` blob NOT NULL,
	`hint` text NOT NULL,
	`created_at` text NOT NULL,
	`rotated_at` text,
	`revoked_at` text,
	FOREIGN KEY (`plan`) REFERENCES `plans`(`name`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_state" CHECK("api_keys"."state" IN ('active', 'revoked')),
	CONSTRAINT "api_keys_secret_hash_length" CHECK(length("api_keys"."secret_hash") = 32)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_secret_hash` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_plan` ON `api_keys` (`plan`);--> statement-breakpoint
CREATE TABLE `plans` (
	`name` text PRIMARY KEY NOT NULL,
	`monthly_quota` integer,
	`max_active_keys` integer,
	`per_minute` integer
);
--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`bytes` blob NOT NULL
);
