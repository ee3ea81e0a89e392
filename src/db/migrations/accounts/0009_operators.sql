-- Which operator acted, where it was an account; null: a command, or a key of the operator.
ALTER TABLE audit ADD COLUMN operator_id integer;
