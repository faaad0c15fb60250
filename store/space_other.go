//go:build !(linux || darwin || freebsd)

package store

// FreeSpace does not know.
func FreeSpace(string) (bytes int64, known bool) { return 0, false }
