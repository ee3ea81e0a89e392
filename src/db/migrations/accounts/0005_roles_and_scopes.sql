ALTER TABLE `api_keys` ADD `expires_at` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `scopes` text DEFAULT '["read"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `monthly_quota` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `reminded_days` integer;--> statement-breakpoint
ALTER TABLE `mail_queue` ADD `key_id` integer REFERENCES `api_keys`(`key_id`) ON DELETE CASCADE;--> statement-breakpoint
CREATE INDEX `mail_queue_key` ON `mail_queue` (`key_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `role` text DEFAULT 'reader' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `publisher_domains` text DEFAULT '[]';