package registrar

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"

	"chessarena/arena"
)

// argonParams are the cost of one argon2id hash: memory in KiB, passes, lanes.
type argonParams struct {
	memory, passes uint32
	lanes          uint8
}

// keyCost is OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
var keyCost = argonParams{memory: 19 * 1024, passes: 2, lanes: 1}

// maxCost caps what a row of the database can make this process spend.
var maxCost = argonParams{memory: 64 * 1024, passes: 4, lanes: 4}

const (
	saltBytes = 16
	tagBytes  = 32
	// hashFormat is the PHC string of argon2id: version, cost, salt, tag.
	hashFormat = "$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s"
)

var phcBase64 = base64.RawStdEncoding.Strict()

// hashKey returns the PHC string that is stored in a key's place.
func hashKey(key arena.Key, entropy io.Reader) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(entropy, salt); err != nil {
		return "", fmt.Errorf("salt entropy: %w", err)
	}
	tag := keyCost.hash(key, salt, tagBytes)
	return fmt.Sprintf(hashFormat, argon2.Version, keyCost.memory, keyCost.passes, keyCost.lanes,
		phcBase64.EncodeToString(salt), phcBase64.EncodeToString(tag)), nil
}

func (p argonParams) hash(key arena.Key, salt []byte, size uint32) []byte {
	return argon2.IDKey([]byte(key), salt, p.passes, p.memory, p.lanes, size)
}

// storedHash is a PHC string taken apart.
type storedHash struct {
	cost      argonParams
	salt, tag []byte
}

// parseHash reads what hashKey wrote. It refuses costs beyond maxCost and everything
// that argon2 would not take; the error never holds the text.
func parseHash(text string) (storedHash, error) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return storedHash{}, errors.New("stored key hash: not an argon2id string")
	}
	var h storedHash
	if parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return storedHash{}, errors.New("stored key hash: another version of argon2")
	}
	n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.cost.memory, &h.cost.passes, &h.cost.lanes)
	if err != nil || n != 3 || parts[3] != fmt.Sprintf("m=%d,t=%d,p=%d", h.cost.memory, h.cost.passes, h.cost.lanes) {
		return storedHash{}, errors.New("stored key hash: unreadable cost")
	}
	c := h.cost
	if c.lanes < 1 || c.lanes > maxCost.lanes || c.passes < 1 || c.passes > maxCost.passes || c.memory < 8*uint32(c.lanes) || c.memory > maxCost.memory {
		return storedHash{}, fmt.Errorf("stored key hash: cost %s is out of bounds", parts[3])
	}
	h.salt, err = phcBase64.DecodeString(parts[4])
	if err != nil || len(h.salt) < 8 || len(h.salt) > 64 {
		return storedHash{}, errors.New("stored key hash: unreadable salt")
	}
	h.tag, err = phcBase64.DecodeString(parts[5])
	if err != nil || len(h.tag) < 16 || len(h.tag) > 64 {
		return storedHash{}, errors.New("stored key hash: unreadable tag")
	}
	return h, nil
}

// matches spends one argon2 to say whether key is the one that was hashed.
func (h storedHash) matches(key arena.Key) bool {
	tag := h.cost.hash(key, h.salt, uint32(len(h.tag)))
	return subtle.ConstantTimeCompare(tag, h.tag) == 1
}
