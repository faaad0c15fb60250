-- Ratings: what each rated game did to both of its buckets, in the order in which games
-- took effect on each track, and the best a nickname and a bucket have stood at.

ALTER TABLE ratings ADD COLUMN games    INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0);
ALTER TABLE ratings ADD COLUMN peak     REAL;
ALTER TABLE ratings ADD COLUMN rated_ms INTEGER;

ALTER TABLE nicknames ADD COLUMN peak_all   REAL;
ALTER TABLE nicknames ADD COLUMN peak_board REAL;

-- The ratings are those after the game.
CREATE TABLE rated (
  track            TEXT    NOT NULL CHECK (track IN ('all', 'board')),
  seq              INTEGER NOT NULL CHECK (seq > 0),
  game_id          INTEGER NOT NULL REFERENCES games,
  at_ms            INTEGER NOT NULL,
  score            REAL    NOT NULL CHECK (score IN (0, 0.5, 1)),
  white_bucket_id  INTEGER NOT NULL REFERENCES buckets,
  white_rating     REAL    NOT NULL,
  white_deviation  REAL    NOT NULL,
  white_volatility REAL    NOT NULL,
  black_bucket_id  INTEGER NOT NULL REFERENCES buckets,
  black_rating     REAL    NOT NULL,
  black_deviation  REAL    NOT NULL,
  black_volatility REAL    NOT NULL,
  PRIMARY KEY (track, seq),
  UNIQUE (track, game_id)
) STRICT, WITHOUT ROWID;
