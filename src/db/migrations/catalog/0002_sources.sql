CREATE TABLE `sources` (
	`dataset_id` text PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`options` text NOT NULL,
	`schedule` text,
	`fetched_url` text,
	`etag` text,
	`last_modified` text,
	`sha256` text NOT NULL,
	`checked_at` text,
	`changed_at` text NOT NULL,
	`failed_at` text,
	`error` text,
	`failures` integer NOT NULL,
	`next_run_at` text,
	FOREIGN KEY (`dataset_id`) REFERENCES `datasets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sources_next_run_at` ON `sources` (`next_run_at`);--> statement-breakpoint
-- What is published already and names an address can be refreshed by hand.
INSERT INTO `sources` (`dataset_id`, `address`, `options`, `sha256`, `changed_at`, `failures`)
SELECT d.`id`, v.`record` ->> '$.dataset.source_url',
  json_object('id', d.`id`, 'domain', d.`domain`, 'maxQuarantine', 0.1, 'knownDefinition', v.`record` -> '$.definition'),
  v.`record` ->> '$.provenance.source_sha256', v.`imported_at`, 0
FROM `datasets` d JOIN `versions` v ON v.`dataset_id` = d.`id` AND v.`version` = d.`served_version`
WHERE v.`record` ->> '$.dataset.source_url' LIKE 'http%://%';
