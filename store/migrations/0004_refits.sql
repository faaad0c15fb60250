-- Published fits: what was computed, from which games, and where in the order of its
-- track the live ratings were laid upon it.

CREATE TABLE refits (
  track  TEXT    NOT NULL CHECK (track IN ('all', 'board')),
  place  INTEGER NOT NULL CHECK (place > 0),            -- after this many rated games
  seq    INTEGER NOT NULL CHECK (seq > 0 AND seq <= place), -- the games it is made of
  at_ms  INTEGER NOT NULL,
  inputs BLOB    NOT NULL CHECK (length(inputs) = 32),
  fit    TEXT    NOT NULL CHECK (json_valid(fit)),
  PRIMARY KEY (track, place)
) STRICT, WITHOUT ROWID;

-- The rows of the latest fit, for the boards.
CREATE TABLE fits (
  track     TEXT    NOT NULL CHECK (track IN ('all', 'board')),
  bucket_id INTEGER NOT NULL REFERENCES buckets,
  rating    REAL    NOT NULL,
  error     REAL    NOT NULL,
  row       TEXT    NOT NULL CHECK (json_valid(row)),
  PRIMARY KEY (track, bucket_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fits_rating ON fits (track, rating DESC);

CREATE INDEX buckets_pinned ON buckets (pinned) WHERE pinned = 1;
CREATE INDEX ratings_rated  ON ratings (game, track) WHERE games > 0;
