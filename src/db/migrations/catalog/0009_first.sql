CREATE TABLE datasets (
  number integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  id text NOT NULL,
  last_version integer NOT NULL,
  served_version integer,
  domain text,
  open integer DEFAULT true NOT NULL
);
CREATE UNIQUE INDEX datasets_id_unique ON datasets (id);
CREATE INDEX datasets_domain_id ON datasets (domain, id);

CREATE TABLE drafts (
  id text PRIMARY KEY NOT NULL,
  account_id integer,
  key_id integer,
  state text NOT NULL,
  revision integer NOT NULL,
  attempts integer NOT NULL,
  file_name text NOT NULL,
  bytes integer,
  sha256 text,
  address text,
  fetched text,
  dataset text,
  changes text NOT NULL,
  answers text,
  base_version integer,
  version integer,
  problem text,
  created_at text NOT NULL,
  changed_at text NOT NULL,
  restarts integer DEFAULT 0 NOT NULL
);
CREATE INDEX drafts_state ON drafts (state);
CREATE INDEX drafts_account ON drafts (account_id);

CREATE TABLE refusals (
  dataset_id text PRIMARY KEY NOT NULL,
  domain text NOT NULL,
  refused_at text NOT NULL,
  reason text NOT NULL,
  reasons text
);

CREATE TABLE revision (
  value integer NOT NULL
);

-- Texts arrive folded and cut into words (store/catalog/search-words.ts); 'ascii' takes them as they are. No copy of the
-- text is kept: answers come from the tables, and rowid is datasets.number.
CREATE VIRTUAL TABLE search USING fts5(
  title, description, columns, others,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);

CREATE TABLE sources (
  dataset_id text PRIMARY KEY NOT NULL,
  address text NOT NULL,
  options text NOT NULL,
  schedule text,
  fetched_url text,
  etag text,
  last_modified text,
  sha256 text NOT NULL,
  checked_at text,
  changed_at text NOT NULL,
  failed_at text,
  error text,
  failures integer NOT NULL,
  next_run_at text,
  by_publisher integer DEFAULT false NOT NULL,
  said_schedule text,
  reasons text,
  FOREIGN KEY (dataset_id) REFERENCES datasets(id)
);
CREATE INDEX sources_next_run_at ON sources (next_run_at);

CREATE TABLE versions (
  dataset_id text NOT NULL,
  version integer NOT NULL,
  previous_version integer,
  title text NOT NULL,
  description text,
  row_count integer NOT NULL,
  imported_at text NOT NULL,
  record text NOT NULL,
  PRIMARY KEY(dataset_id, version),
  FOREIGN KEY (dataset_id) REFERENCES datasets(id)
);

INSERT INTO revision (value) VALUES (1);
