-- The foundation: who plays, under which configurations, the games and their moves.
--
-- Times are unix milliseconds, durations milliseconds, colours 0 (white) and 1 (black),
-- truth values 0 and 1. An optional fact is NULL, never a magic value.

CREATE TABLE nicknames (
  id               INTEGER PRIMARY KEY,
  nickname         TEXT    NOT NULL,
  skeleton         TEXT    NOT NULL UNIQUE,
  key_hash         TEXT    NOT NULL,
  fingerprint      TEXT    NOT NULL,
  key_generation   INTEGER NOT NULL DEFAULT 1 CHECK (key_generation > 0),
  status           TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'frozen', 'dormant')),
  created_ms       INTEGER NOT NULL,
  last_seen_ms     INTEGER NOT NULL,
  games            INTEGER NOT NULL DEFAULT 0,
  wins             INTEGER NOT NULL DEFAULT 0,
  draws            INTEGER NOT NULL DEFAULT 0,
  losses           INTEGER NOT NULL DEFAULT 0,
  forfeits_for     INTEGER NOT NULL DEFAULT 0,
  forfeits_against INTEGER NOT NULL DEFAULT 0,
  current_streak   INTEGER NOT NULL DEFAULT 0,
  best_streak      INTEGER NOT NULL DEFAULT 0,
  CHECK (games = wins + draws + losses),
  CHECK (best_streak >= current_streak AND current_streak >= 0)
) STRICT;

-- A bucket is what shares a rating. Its key is the sha256 of spec, so neither ever changes.
CREATE TABLE buckets (
  id               INTEGER PRIMARY KEY,
  key              BLOB    NOT NULL UNIQUE CHECK (length(key) = 32),
  spec             TEXT    NOT NULL CHECK (json_valid(spec)),
  model            TEXT    NOT NULL,
  pinned           INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  created_ms       INTEGER NOT NULL,
  games            INTEGER NOT NULL DEFAULT 0,
  wins             INTEGER NOT NULL DEFAULT 0,
  draws            INTEGER NOT NULL DEFAULT 0,
  losses           INTEGER NOT NULL DEFAULT 0,
  forfeits_for     INTEGER NOT NULL DEFAULT 0,
  forfeits_against INTEGER NOT NULL DEFAULT 0,
  CHECK (games = wins + draws + losses)
) STRICT;
CREATE INDEX buckets_model ON buckets (model);

-- Live ratings, one row for each kind of game and each track.
CREATE TABLE ratings (
  bucket_id  INTEGER NOT NULL REFERENCES buckets,
  game       TEXT    NOT NULL,
  track      TEXT    NOT NULL CHECK (track IN ('all', 'board')),
  rating     REAL    NOT NULL,
  deviation  REAL    NOT NULL CHECK (deviation >= 0),
  volatility REAL    NOT NULL CHECK (volatility >= 0),
  PRIMARY KEY (bucket_id, game, track)
) STRICT, WITHOUT ROWID;

CREATE TABLE configs (
  id            INTEGER PRIMARY KEY,
  nickname_id   INTEGER NOT NULL REFERENCES nicknames,
  bucket_id     INTEGER NOT NULL REFERENCES buckets,
  notes         TEXT    NOT NULL,
  model_raw     TEXT    NOT NULL,
  model_version TEXT,
  created_ms    INTEGER NOT NULL,
  UNIQUE (nickname_id, bucket_id, notes)
) STRICT;

-- One row for each game, live or over. What a seat must remember of its nickname stands
-- here as it was when the game began; its configuration is the bucket's, which is constant.
CREATE TABLE games (
  id                INTEGER PRIMARY KEY,
  pub               TEXT    NOT NULL UNIQUE CHECK (length(pub) = 12),
  game              TEXT    NOT NULL,
  status            TEXT    NOT NULL CHECK (status IN ('active', 'finished', 'void')),
  white_nickname_id INTEGER NOT NULL REFERENCES nicknames,
  white_config_id   INTEGER NOT NULL REFERENCES configs,
  white_bucket_id   INTEGER NOT NULL REFERENCES buckets,
  white_nickname    TEXT    NOT NULL,
  white_fingerprint TEXT    NOT NULL,
  black_nickname_id INTEGER NOT NULL REFERENCES nicknames,
  black_config_id   INTEGER NOT NULL REFERENCES configs,
  black_bucket_id   INTEGER NOT NULL REFERENCES buckets,
  black_nickname    TEXT    NOT NULL,
  black_fingerprint TEXT    NOT NULL,
  start_fen         TEXT,
  eco               TEXT,
  opening           TEXT,
  book              INTEGER NOT NULL CHECK (book >= 0),
  rated             INTEGER NOT NULL CHECK (rated IN (0, 1)),
  soft_ms           INTEGER NOT NULL CHECK (soft_ms >= 0),
  bank_ms           INTEGER NOT NULL CHECK (bank_ms >= 0),
  hard_cap_ms       INTEGER NOT NULL CHECK (hard_cap_ms >= 0),
  created_ms        INTEGER NOT NULL,
  ply               INTEGER NOT NULL CHECK (ply >= book),
  turn_started_ms   INTEGER NOT NULL,
  white_bank_ms     INTEGER NOT NULL CHECK (white_bank_ms >= 0),
  black_bank_ms     INTEGER NOT NULL CHECK (black_bank_ms >= 0),
  illegal           INTEGER NOT NULL CHECK (illegal >= 0),
  offers            TEXT    CHECK (json_valid(offers)),
  result            TEXT    CHECK (result IN ('1-0', '0-1', '1/2', '*')),
  termination       TEXT,
  forfeiter         INTEGER CHECK (forfeiter IN (0, 1)),
  finished_ms       INTEGER,
  final_fen         TEXT,
  CHECK ((eco IS NULL) = (opening IS NULL)),
  CHECK ((status = 'active') = (result IS NULL)),
  CHECK ((status = 'active') = (termination IS NULL)),
  CHECK ((status = 'active') = (finished_ms IS NULL)),
  CHECK (status <> 'active' OR forfeiter IS NULL AND final_fen IS NULL),
  CHECK (result IS NULL OR (status = 'void') = (result = '*'))
) STRICT;
CREATE INDEX games_status ON games (status);
CREATE INDEX games_white  ON games (white_nickname_id, status);
CREATE INDEX games_black  ON games (black_nickname_id, status);

-- The moves of active games. When a game ends they become one row of histories.
CREATE TABLE moves (
  game_id   INTEGER NOT NULL REFERENCES games,
  ply       INTEGER NOT NULL CHECK (ply >= 0),
  uci       TEXT    NOT NULL,
  san       TEXT    NOT NULL,
  at_ms     INTEGER NOT NULL,
  think_ms  INTEGER NOT NULL,
  illegal   INTEGER NOT NULL,
  over_soft INTEGER NOT NULL CHECK (over_soft IN (0, 1)),
  book      INTEGER NOT NULL CHECK (book IN (0, 1)),
  PRIMARY KEY (game_id, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE histories (
  game_id INTEGER PRIMARY KEY REFERENCES games,
  moves   BLOB NOT NULL
) STRICT;

-- The games whose PGN is still to be copied into the operator's folder.
CREATE TABLE pgn_copies (
  game_id INTEGER PRIMARY KEY REFERENCES games
) STRICT;

CREATE TABLE events (
  game_id INTEGER NOT NULL REFERENCES games,
  seq     INTEGER NOT NULL CHECK (seq > 0),
  at_ms   INTEGER NOT NULL,
  ply     INTEGER NOT NULL CHECK (ply >= 0),
  kind    TEXT    NOT NULL,
  data    TEXT    CHECK (json_valid(data)),
  PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

-- Totals that pages show, kept by the statements that change them.
CREATE TABLE counters (
  name TEXT    NOT NULL PRIMARY KEY,
  n    INTEGER NOT NULL CHECK (n >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO counters (name, n) VALUES
  ('active', 0), ('finished', 0), ('void', 0), ('nicknames', 0), ('configs', 0), ('models', 0);

-- What other processes changed, for the one that serves. AUTOINCREMENT: a number that was
-- pruned is never given again, so a reader sees that it missed something.
CREATE TABLE changes (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  noun TEXT    NOT NULL,
  id   INTEGER NOT NULL
) STRICT;

-- What operators did, and what it takes to undo it.
CREATE TABLE audit (
  id      INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  actor   TEXT    NOT NULL,
  tool    TEXT    NOT NULL,
  args    TEXT    CHECK (json_valid(args)),
  outcome TEXT    NOT NULL,
  undo    TEXT    CHECK (json_valid(undo))
) STRICT;
