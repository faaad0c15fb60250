//go:build !linux

package engine

import "os/exec"

// tie does nothing: only Linux can kill a child together with its parent. Elsewhere an
// engine notices the end of its input, which every UCI engine takes as quit.
func tie(*exec.Cmd) (untie func()) { return func() {} }
