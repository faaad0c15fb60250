package store

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// networkFS says whether path lies on a network drive.
func networkFS(path string) string {
	volume := filepath.VolumeName(path)
	if volume == "" {
		return ""
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err != nil || windows.GetDriveType(root) != windows.DRIVE_REMOTE {
		return ""
	}
	return "network drive"
}
