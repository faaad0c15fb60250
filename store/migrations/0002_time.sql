-- Enforced clocks: where each game's log ends, and what the arena must remember of its
-- own absences and of the verdicts it still owes.

-- log_len entries, the last with the hash log_hash; the entries themselves are the
-- events and the moves.
ALTER TABLE games ADD COLUMN log_len  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN log_hash BLOB NOT NULL DEFAULT (zeroblob(32)) CHECK (length(log_hash) = 32);

-- Whether a forfeited game counts on the board track; NULL is undecided.
ALTER TABLE games ADD COLUMN on_board INTEGER CHECK (on_board IN (0, 1));

-- Forfeited games whose last position somebody has yet to evaluate.
CREATE TABLE adjudications (
  game_id INTEGER PRIMARY KEY REFERENCES games
) STRICT;

-- The last time the serving process is known to have been awake, while games ran.
CREATE TABLE heartbeat (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  alive_ms INTEGER NOT NULL
) STRICT;
