CREATE TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until bigint NOT NULL
);

CREATE TABLE nodes (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  program text COLLATE "C" NOT NULL,
  started_at bigint NOT NULL,
  beat_at bigint NOT NULL,
  revision bigint NOT NULL,
  waits_for text COLLATE "C" NOT NULL
);
