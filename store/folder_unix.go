//go:build unix

package store

import (
	"errors"
	"os"
)

// syncFolder makes a rename in the folder survive a power cut.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
