ALTER TABLE datasets ADD dropped text DEFAULT '[]' NOT NULL;
