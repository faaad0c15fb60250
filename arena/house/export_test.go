package house

import "chessarena/arena/engine"

// Hire has p play for the rung called name from now on.
func (h *House) Hire(name string, p engine.Player) {
	s := *h.staff.Load()
	for i := range s.members {
		if s.members[i].Name == name {
			s.members[i].player = p
		}
	}
}

// Dismiss takes the rung called name out of service, as if its engine had been removed.
func (h *House) Dismiss(name string) {
	s := *h.staff.Load()
	for id, m := range s.byID {
		if m.Name == name {
			delete(s.byID, id)
		}
	}
}

// SetGames is HOUSE_GAMES.
func (h *House) SetGames(how string) { h.o.Games, h.o.Pace = how, 0 }

// Configs returns the configuration of each rung.
func (h *House) Configs() map[string]int64 {
	list := make(map[string]int64)
	for id, m := range h.staff.Load().byID {
		list[m.Name] = id
	}
	return list
}
