-- Programs from before it go on beside it: they name no operator, and take an account of that role for a reader.
ALTER TABLE audit ADD COLUMN operator_id bigint;
