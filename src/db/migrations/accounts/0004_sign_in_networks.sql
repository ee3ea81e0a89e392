ALTER TABLE `sign_ins` ADD `network` text;--> statement-breakpoint
CREATE INDEX `sign_ins_network` ON `sign_ins` (`user_id`,`success`,`network`);--> statement-breakpoint
-- Networks of IPv4 are the addresses. Those of IPv6 are not told by SQL: open sessions vouch for them.
UPDATE `sign_ins` SET `network` = `ip` WHERE `ip` NOT LIKE '%:%';--> statement-breakpoint
UPDATE `sign_ins` SET `network` = substr(`ip`, 8) WHERE `ip` LIKE '::ffff:%.%';
