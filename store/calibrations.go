package store

import "encoding/json"

var (
	queryAddCalibration = register(`INSERT INTO calibrations (at_ms, spec) VALUES (?, ?)`)
	queryCalibrations   = register(`SELECT spec FROM calibrations ORDER BY id DESC LIMIT ?`)
)

// AddCalibration keeps what a calibration has measured.
func (tx *Tx) AddCalibration(spec json.RawMessage) error {
	_, err := tx.exec(queryAddCalibration, millis(tx.now), string(spec))
	return err
}

// Calibrations lists what was measured on this host, the latest first, at most limit.
func (tx *Tx) Calibrations(limit int) ([]json.RawMessage, error) {
	return all(tx, queryCalibrations, func(r row) (spec json.RawMessage, err error) {
		var text string
		err = r.Scan(&text)
		return json.RawMessage(text), err
	}, limit)
}
