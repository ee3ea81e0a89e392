CREATE TABLE `alerts` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`raised_at` text NOT NULL,
	PRIMARY KEY(`kind`, `subject`)
);
--> statement-breakpoint
ALTER TABLE `mail_queue` ADD `facts` text DEFAULT '{}' NOT NULL;