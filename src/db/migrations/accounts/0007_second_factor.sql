CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` blob NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "recovery_codes_hash_length" CHECK(length("recovery_codes"."code_hash") = 32)
);
--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_secret` blob;--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_since` text;--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_step` integer;