//go:build darwin || freebsd

package store

import "golang.org/x/sys/unix"

// networkFS names the network file system that path lies on, "" when it is local or
// cannot be told.
func networkFS(path string) string {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil || uint64(st.Flags)&unix.MNT_LOCAL != 0 {
		return ""
	}
	return unix.ByteSliceToString(st.Fstypename[:])
}
