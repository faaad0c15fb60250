-- The boards' counts of forfeits on time: few games, read as a whole.
CREATE INDEX games_timeout ON games (forfeiter, white_bucket_id, black_bucket_id) WHERE termination = 'timeout';
