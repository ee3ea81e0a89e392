CREATE TABLE alerts (
  kind text NOT NULL,
  subject text NOT NULL,
  raised_at text NOT NULL,
  PRIMARY KEY(kind, subject)
);

CREATE TABLE api_keys (
  key_id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  label text NOT NULL,
  user_id integer,
  plan text,
  state text NOT NULL,
  secret_hash blob NOT NULL,
  hint text NOT NULL,
  created_at text NOT NULL,
  rotated_at text,
  revoked_at text,
  expires_at text,
  scopes text DEFAULT '["read"]' NOT NULL,
  monthly_quota integer,
  reminded_days integer,
  FOREIGN KEY (user_id) REFERENCES users(id),
  FOREIGN KEY (plan) REFERENCES plans(name),
  CONSTRAINT api_keys_plan_or_account CHECK(plan IS NOT NULL OR user_id IS NOT NULL),
  CONSTRAINT api_keys_state CHECK(state IN ('active', 'revoked')),
  CONSTRAINT api_keys_secret_hash_length CHECK(length(secret_hash) = 32)
);
CREATE UNIQUE INDEX api_keys_secret_hash ON api_keys (secret_hash);
CREATE INDEX api_keys_plan ON api_keys (plan);
CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE audit (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  at text NOT NULL,
  actor text NOT NULL,
  event text NOT NULL,
  user_id integer,
  key_id integer,
  detail text
);
CREATE INDEX audit_user ON audit (user_id);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;

CREATE TABLE mail_queue (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id integer,
  recipient text NOT NULL,
  kind text NOT NULL,
  language text NOT NULL,
  token_id text,
  queued_at text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at text NOT NULL,
  give_up_at text NOT NULL,
  key_id integer REFERENCES api_keys(key_id) ON DELETE CASCADE,
  facts text DEFAULT '{}' NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  FOREIGN KEY (token_id) REFERENCES tokens(token_id) ON DELETE CASCADE
);
CREATE INDEX mail_queue_due ON mail_queue (next_attempt_at);
CREATE INDEX mail_queue_user ON mail_queue (user_id);
CREATE INDEX mail_queue_token ON mail_queue (token_id);
CREATE INDEX mail_queue_key ON mail_queue (key_id);

CREATE TABLE plans (
  name text PRIMARY KEY NOT NULL,
  monthly_quota integer,
  max_active_keys integer,
  per_minute integer
);

CREATE TABLE recovery_codes (
  user_id integer NOT NULL,
  code_hash blob NOT NULL,
  PRIMARY KEY(user_id, code_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT recovery_codes_hash_length CHECK(length(code_hash) = 32)
);

CREATE TABLE secrets (
  name text PRIMARY KEY NOT NULL,
  bytes blob NOT NULL
);

CREATE TABLE sessions (
  session_id text PRIMARY KEY NOT NULL,
  user_id integer NOT NULL,
  token_hash blob NOT NULL,
  created_at text NOT NULL,
  last_seen_at text NOT NULL,
  expires_at text NOT NULL,
  ip text NOT NULL,
  user_agent text,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT sessions_token_hash_length CHECK(length(token_hash) = 32)
);
CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE sign_ins (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id integer,
  attempted_at text NOT NULL,
  success integer NOT NULL,
  ip text NOT NULL,
  user_agent text,
  reason text,
  network text,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_ins_user ON sign_ins (user_id, id);
CREATE INDEX sign_ins_time ON sign_ins (attempted_at);
CREATE INDEX sign_ins_network ON sign_ins (user_id, success, network);

CREATE TABLE tokens (
  token_id text PRIMARY KEY NOT NULL,
  user_id integer NOT NULL,
  purpose text NOT NULL,
  token_hash blob NOT NULL,
  expires_at text NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX tokens_token_hash ON tokens (token_hash);
CREATE INDEX tokens_user ON tokens (user_id, purpose);
CREATE INDEX tokens_expiry ON tokens (expires_at);

CREATE TABLE tombstones (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind text NOT NULL,
  subject_id integer NOT NULL,
  deleted_at text NOT NULL
);

CREATE TABLE users (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  password_hash text,
  email_verified_at text,
  full_name text,
  organization text,
  language text NOT NULL,
  plan text NOT NULL,
  created_at text NOT NULL,
  role text DEFAULT 'reader' NOT NULL,
  publisher_domains text DEFAULT '[]',
  second_factor_secret blob,
  second_factor_since text,
  second_factor_step integer,
  FOREIGN KEY (plan) REFERENCES plans(name)
);
CREATE UNIQUE INDEX users_email_key ON users (email_key);

INSERT INTO plans (name, monthly_quota, max_active_keys, per_minute) VALUES
  ('free', 10000, 5, 600),
  ('institution', 1000000, 20, 6000),
  ('unlimited', NULL, NULL, NULL);
