//go:build linux || darwin || freebsd

package store

import "golang.org/x/sys/unix"

// FreeSpace is how many bytes this user may still write to the file system of folder;
// known is false when the system does not tell.
func FreeSpace(folder string) (bytes int64, known bool) {
	var st unix.Statfs_t
	if unix.Statfs(folder, &st) != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
