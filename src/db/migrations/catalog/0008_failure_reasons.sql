ALTER TABLE `refusals` ADD `reasons` text;--> statement-breakpoint
ALTER TABLE `sources` ADD `reasons` text;