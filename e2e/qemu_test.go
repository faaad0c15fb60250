package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"chessarena/arena/arbiter"
	"chessarena/e2e/host"
)

// TestOnARaspberryPi runs the binaries for 64-bit and 32-bit ARM in an emulator: start,
// two agents register, four plies over REST, an orderly stop.
func TestOnARaspberryPi(t *testing.T) {
	for _, one := range []struct{ arch, emulator string }{{"arm64", "qemu-aarch64-static"}, {"arm", "qemu-arm-static"}} {
		t.Run(one.arch, func(t *testing.T) {
			emulator := needs(t, one.emulator)
			binary := filepath.Join(t.TempDir(), "arena")
			build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, ".")
			build.Dir = ".."
			build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+one.arch, "GOARM=7")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("build: %v\n%s", err, out)
			}
			a := &host.Arena{Binary: emulator, Args: []string{binary, "serve"}, DB: filepath.Join(t.TempDir(), "arena.db")}
			if err := a.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			stopped := false
			t.Cleanup(func() {
				if !stopped {
					_ = a.Kill()
					t.Logf("log of the arena:\n%s", tail(a.Log(), 4000))
				}
			})
			alice, bob := register(t, rest(t, a), "alice"), register(t, rest(t, a), "bob")
			game := createGames(t, a, arbiter.Pairing{White: alice.ConfigID, Black: bob.ConfigID, Rated: true})[0]
			for ply, move := range []string{"f3", "e5", "g4", "Qh4#"} {
				who := alice
				if ply%2 == 1 {
					who = bob
				}
				st, err := who.Submit(t.Context(), game, ply, move)
				if err != nil {
					t.Fatalf("ply %d: %v", ply, err)
				}
				if over := ply == 3; st.Over() != over {
					t.Errorf("after ply %d the game is %s", ply, st.Status)
				}
			}
			wantHonest(t, a, game)
			if _, err := a.Stop(); err != nil {
				t.Error(err)
			}
			stopped = true
		})
	}
}
