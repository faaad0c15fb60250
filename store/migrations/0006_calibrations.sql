-- What `arena calibrate` has measured on this host: the ratings of the house's rungs, as
-- JSON with all that is needed to measure them again. Rows are only ever added.

CREATE TABLE calibrations (
  id    INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  spec  TEXT    NOT NULL CHECK (json_valid(spec))
) STRICT;
