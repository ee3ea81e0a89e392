-- Programs from before it go on beside it: they count for themselves.
CREATE TABLE limit_counts (
  name text COLLATE "C" NOT NULL,
  who text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  slots text COLLATE "C" NOT NULL,
  empty_at bigint NOT NULL,
  PRIMARY KEY (name, who)
);

CREATE INDEX limit_counts_empty ON limit_counts (empty_at);
