-- Programs from before it go on beside it: the triggers stamp what they change.
INSERT INTO numbers (name, n) VALUES ('catalog', 0);

CREATE TABLE catalog_changes (
  dataset_id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  mark text COLLATE "C" NOT NULL
);
CREATE INDEX catalog_changes_number ON catalog_changes (number);

-- One number for a transaction, taken at its first change.
CREATE FUNCTION stamp_dataset(changed text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  current text := current_setting('izvor.catalog_number', true);
BEGIN
  IF current IS NULL OR current = '' THEN
    UPDATE numbers SET n = n + 1 WHERE name = 'catalog' RETURNING n::text INTO current;
    PERFORM set_config('izvor.catalog_number', current, true);
  END IF;
  INSERT INTO catalog_changes (dataset_id, number, mark)
  VALUES (changed, current::bigint, gen_random_uuid()::text)
  ON CONFLICT (dataset_id) DO UPDATE SET number = EXCLUDED.number, mark = EXCLUDED.mark
  WHERE catalog_changes.number <> EXCLUDED.number;
END $$;

CREATE FUNCTION stamp_row_of_datasets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM stamp_dataset(OLD.id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM stamp_dataset(NEW.id); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION stamp_row_beside_datasets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM stamp_dataset(OLD.dataset_id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM stamp_dataset(NEW.dataset_id); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION stamp_all_datasets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM stamp_dataset(dataset_id) FROM catalog_changes;
  RETURN NULL;
END $$;

CREATE TRIGGER datasets_stamp AFTER INSERT OR UPDATE OR DELETE ON datasets
  FOR EACH ROW EXECUTE FUNCTION stamp_row_of_datasets();
CREATE TRIGGER versions_stamp AFTER INSERT OR UPDATE OR DELETE ON versions
  FOR EACH ROW EXECUTE FUNCTION stamp_row_beside_datasets();
CREATE TRIGGER sources_stamp AFTER INSERT OR UPDATE OR DELETE ON sources
  FOR EACH ROW EXECUTE FUNCTION stamp_row_beside_datasets();
CREATE TRIGGER refusals_stamp AFTER INSERT OR UPDATE OR DELETE ON refusals
  FOR EACH ROW EXECUTE FUNCTION stamp_row_beside_datasets();
CREATE TRIGGER datasets_truncate AFTER TRUNCATE ON datasets EXECUTE FUNCTION stamp_all_datasets();
CREATE TRIGGER versions_truncate AFTER TRUNCATE ON versions EXECUTE FUNCTION stamp_all_datasets();
CREATE TRIGGER sources_truncate AFTER TRUNCATE ON sources EXECUTE FUNCTION stamp_all_datasets();
CREATE TRIGGER refusals_truncate AFTER TRUNCATE ON refusals EXECUTE FUNCTION stamp_all_datasets();
