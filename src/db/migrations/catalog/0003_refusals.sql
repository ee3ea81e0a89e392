CREATE TABLE `refusals` (
	`dataset_id` text PRIMARY KEY NOT NULL,
	`domain` text NOT NULL,
	`refused_at` text NOT NULL,
	`reason` text NOT NULL
);
