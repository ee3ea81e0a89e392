-- Programs from before it go on beside it: they keep reading what was taken down until it is closed.
ALTER TABLE datasets ADD COLUMN dropped text COLLATE "C" NOT NULL DEFAULT '[]';

-- What an object is that is no version, by its key.
CREATE TABLE object_digests (
  key text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL,
  sha256 text COLLATE "C" NOT NULL
);
