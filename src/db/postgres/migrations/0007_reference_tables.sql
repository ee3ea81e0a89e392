-- Programs from before it go on beside it: they read the tables in their own folders.
CREATE TABLE reference_tables (
  name text COLLATE "C" PRIMARY KEY,
  contents text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL
);
