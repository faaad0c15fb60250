package registrar

import (
	"context"

	"chessarena/arena"
)

// NewKey makes a key for a nickname that exists, and the hash to store in its place:
// for an operator who replaces a lost or stolen one. The key is to be shown once.
func (r *Registrar) NewKey(ctx context.Context, nickname arena.Nickname) (key arena.Key, hash string, err error) {
	if key, err = arena.NewKey(nickname, r.settings.KeyLength, r.entropy); err != nil {
		return "", "", err
	}
	release, err := r.keys.slot(ctx)
	if err != nil {
		return "", "", err
	}
	defer release()
	hash, err = hashKey(key, r.entropy)
	return key, hash, err
}
