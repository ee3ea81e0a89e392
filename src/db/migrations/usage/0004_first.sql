CREATE TABLE daily_totals (
  day text PRIMARY KEY NOT NULL,
  requests integer NOT NULL
);

CREATE TABLE daily_usage (
  key_id integer NOT NULL,
  day text NOT NULL,
  requests integer NOT NULL,
  PRIMARY KEY(key_id, day)
);

CREATE TABLE dataset_usage (
  day text NOT NULL,
  dataset_id text NOT NULL,
  key_id integer NOT NULL,
  format text NOT NULL,
  calls integer NOT NULL,
  rows integer NOT NULL,
  bytes integer NOT NULL,
  PRIMARY KEY(day, dataset_id, key_id, format)
);
CREATE INDEX dataset_usage_key ON dataset_usage (key_id);

CREATE TABLE erased_keys (
  key_id integer PRIMARY KEY NOT NULL,
  erased_at integer NOT NULL
);

CREATE TABLE key_use (
  key_id integer PRIMARY KEY NOT NULL,
  last_used_at text NOT NULL
);

CREATE TABLE log_inbox (
  id integer PRIMARY KEY NOT NULL,
  records text NOT NULL
);

CREATE TABLE monthly_usage (
  owner text NOT NULL,
  month text NOT NULL,
  requests integer NOT NULL,
  PRIMARY KEY(owner, month)
);

CREATE TABLE request_logs (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  at integer NOT NULL,
  key_id integer NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  query text NOT NULL,
  status integer NOT NULL,
  latency_us integer NOT NULL,
  bytes integer NOT NULL,
  ip text NOT NULL,
  user_agent text,
  request_id text NOT NULL
);
CREATE INDEX request_logs_key ON request_logs (key_id, at);
CREATE INDEX request_logs_time ON request_logs (at);
