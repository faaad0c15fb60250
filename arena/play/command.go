package play

import (
	"os"

	"github.com/spf13/cobra"
)

// defaultArena is where `arena serve` listens when nobody says otherwise.
const defaultArena = "http://127.0.0.1:8080"

// NewCommand is "arena play" with its commands.
func NewCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "play",
		Short: "Take part in an arena, here or elsewhere",
		Long: `Take part in an arena, on this machine or another.

The commands reach the arena at the address given with --arena or in ARENA_URL, over
HTTP like anybody else.`,
		Example: "  arena play models sonnet\n  arena play models \"Claude Sonnet 5\" --arena https://arena.example.org",
	}
	address := os.Getenv("ARENA_URL")
	if address == "" {
		address = defaultArena
	}
	root.PersistentFlags().String("arena", address, "address of the arena (ARENA_URL)")
	root.PersistentFlags().Bool("json", false, "print the answer as one JSON object")
	root.AddCommand(newModelsCommand())
	return root
}
