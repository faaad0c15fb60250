-- Who waits for a game, and what pairing must remember of games that are over.

CREATE TABLE queue (
  config_id   INTEGER PRIMARY KEY REFERENCES configs,
  nickname_id INTEGER NOT NULL REFERENCES nicknames,
  enqueued_ms INTEGER NOT NULL,
  opponents   TEXT    NOT NULL CHECK (opponents IN ('any', 'agents_only', 'anchors_only'))
) STRICT;
CREATE INDEX queue_order    ON queue (enqueued_ms, config_id);
CREATE INDEX queue_nickname ON queue (nickname_id);

-- What two buckets have had with each other, a the lower id. recent holds the opening
-- lines of their last games; return_… is the game they owe each other, if any.
CREATE TABLE pairs (
  a_bucket_id    INTEGER NOT NULL REFERENCES buckets,
  b_bucket_id    INTEGER NOT NULL REFERENCES buckets,
  games          INTEGER NOT NULL,
  a_white        INTEGER NOT NULL CHECK (a_white BETWEEN 0 AND games),
  a_wins         INTEGER NOT NULL CHECK (a_wins >= 0),
  draws          INTEGER NOT NULL CHECK (draws >= 0 AND a_wins + draws <= games),
  recent         TEXT    NOT NULL CHECK (json_valid(recent)),
  return_line    TEXT,
  return_a_white INTEGER CHECK (return_a_white IN (0, 1)),
  return_of      INTEGER REFERENCES games,
  PRIMARY KEY (a_bucket_id, b_bucket_id),
  CHECK (a_bucket_id <= b_bucket_id),
  CHECK ((return_line IS NULL) = (return_a_white IS NULL)),
  CHECK (return_of IS NULL OR return_line IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Second games of opening pairs: the line of first_id again, with colours changed.
CREATE TABLE returns (
  game_id  INTEGER PRIMARY KEY REFERENCES games,
  first_id INTEGER NOT NULL REFERENCES games
) STRICT;

ALTER TABLE configs ADD COLUMN white_games INTEGER NOT NULL DEFAULT 0 CHECK (white_games >= 0);
ALTER TABLE configs ADD COLUMN black_games INTEGER NOT NULL DEFAULT 0 CHECK (black_games >= 0);
ALTER TABLE configs ADD COLUMN last_colors TEXT    NOT NULL DEFAULT '' CHECK (last_colors IN ('', 'w', 'b', 'ww', 'wb', 'bw', 'bb'));

ALTER TABLE buckets ADD COLUMN anchor_games INTEGER NOT NULL DEFAULT 0 CHECK (anchor_games BETWEEN 0 AND games);
