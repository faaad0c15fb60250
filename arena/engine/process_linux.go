package engine

import (
	"os/exec"
	"runtime"
	"syscall"
)

// tie makes the child die with this program, even when that is killed outright. The
// kernel sends Pdeathsig when the *thread* that started the child ends, not the
// program, and Go ends idle threads of its own accord now and then. So the starting
// goroutine is locked to its thread, and calls untie only after the child is reaped; as
// it does nothing but wait in a system call until then, that costs no extra thread.
//
// The child gets a process group of its own so that Ctrl-C on a terminal reaches the
// arena alone, which then ends its engines in its own order. The group is not used to
// kill: after the child is reaped its number may belong to somebody else.
func tie(cmd *exec.Cmd) (untie func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
