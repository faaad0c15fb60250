package house

import (
	"encoding/json"
	"fmt"

	"chessarena/arena"
	"chessarena/arena/engine"
	"chessarena/assets"
	"chessarena/store"
)

// Shipped is the calibrations that come with the program.
var Shipped = mustRead(assets.Anchors)

// mustRead reads the table, which is part of the program.
func mustRead(text string) (list []Calibration) {
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		panic(fmt.Sprintf("house: the table of anchors: %v", err))
	}
	return list
}

// localCalibrations is how many calibrations of this host are looked through.
const localCalibrations = 20

// calibrations lists those that may hold for this host, the most trusted first: its own,
// then the shipped ones.
func calibrations(tx *store.Tx) ([]Calibration, error) {
	specs, err := tx.Calibrations(localCalibrations)
	if err != nil {
		return nil, fmt.Errorf("read the calibrations: %w", err)
	}
	list := make([]Calibration, len(specs), len(specs)+len(Shipped))
	for i, spec := range specs {
		if err := json.Unmarshal(spec, &list[i]); err != nil {
			return nil, fmt.Errorf("read a calibration: %w", err)
		}
	}
	return append(list, Shipped...), nil
}

// pinOf finds the rating of r. hash is that of the installed program, of which a
// calibration may be of another build; "" is no program.
func pinOf(r Rung, hash string, list []Calibration) (c Calibration, p Pin, ok bool) {
	for _, c := range list {
		if slug(c.Engine) != r.Engine || c.Hash != "" && c.Hash != hash {
			continue
		}
		for _, p := range c.Pins {
			if p.Name == r.Name {
				return c, p, true
			}
		}
	}
	return c, p, false
}

// config is what r is registered as. A rung of another engine or calibration is another
// configuration and hence another bucket.
func (r Rung) config(calibration string) arena.Config {
	return arena.Config{Model: r.Name, Provider: arena.AnchorProvider, Harness: r.Engine + "@" + calibration}
}

// uncalibrated stands for the calibration of a rung whose strength nobody has measured.
const uncalibrated = "uncalibrated"

func programHash(pool *engine.Pool) string {
	if p := pool.Program(); p != nil {
		return p.Hash
	}
	return ""
}
