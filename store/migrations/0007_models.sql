-- Names of models: what operators added to the registry, and what became of buckets whose
-- model turned out to be another one.

-- Models that operators verified.
CREATE TABLE models (
  id       TEXT    NOT NULL PRIMARY KEY,
  family   TEXT    NOT NULL,
  provider TEXT    NOT NULL,
  at_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Spellings that operators decided about. The model may be one that is not registered.
CREATE TABLE model_aliases (
  alias TEXT    NOT NULL PRIMARY KEY,
  model TEXT    NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Keys that buckets had before their model got another name.
CREATE TABLE redirects (
  key       BLOB    NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  bucket_id INTEGER NOT NULL REFERENCES buckets
) STRICT, WITHOUT ROWID;

-- A bucket that was merged into another is kept, empty, so that the merge can be undone.
ALTER TABLE buckets ADD COLUMN merged_into INTEGER REFERENCES buckets;

-- A nickname has one configuration with the same notes in each bucket, and keeps both when
-- two of its buckets are merged: home_bucket_id is where a configuration was made, and what is
-- unique.
CREATE TABLE configs_new (
  id             INTEGER PRIMARY KEY,
  nickname_id    INTEGER NOT NULL REFERENCES nicknames,
  bucket_id      INTEGER NOT NULL REFERENCES buckets,
  home_bucket_id INTEGER NOT NULL REFERENCES buckets,
  notes          TEXT    NOT NULL,
  model_raw      TEXT    NOT NULL,
  model_version  TEXT,
  created_ms     INTEGER NOT NULL,
  white_games    INTEGER NOT NULL DEFAULT 0 CHECK (white_games >= 0),
  black_games    INTEGER NOT NULL DEFAULT 0 CHECK (black_games >= 0),
  last_colors    TEXT    NOT NULL DEFAULT '' CHECK (last_colors IN ('', 'w', 'b', 'ww', 'wb', 'bw', 'bb')),
  UNIQUE (nickname_id, home_bucket_id, notes)
) STRICT;
INSERT INTO configs_new SELECT id, nickname_id, bucket_id, bucket_id, notes, model_raw, model_version, created_ms,
  white_games, black_games, last_colors FROM configs;
DROP TABLE configs;
ALTER TABLE configs_new RENAME TO configs;
CREATE INDEX configs_bucket ON configs (bucket_id);
CREATE INDEX buckets_merged ON buckets (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX redirects_bucket ON redirects (bucket_id);
CREATE INDEX pairs_b ON pairs (b_bucket_id);
