INSERT INTO revision (value) VALUES (1);
--> statement-breakpoint
-- Texts arrive folded and cut into words (catalog/search-words.ts); 'ascii' takes them as they are. No copy of the
-- text is kept: answers come from the tables, and rowid is datasets.number.
CREATE VIRTUAL TABLE search USING fts5(
  title, description, columns, others,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);
