-- Programs from before it go on beside it: what they publish is found by its own texts alone.
ALTER TABLE versions ADD COLUMN search_texts text COLLATE "C";
