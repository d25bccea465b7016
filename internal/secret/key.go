package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"assent/internal/assent"
)

// KeyFile is the name of the key file within the data directory.
const KeyFile = "secret.key"

const keySize = 32

// Sealer seals and opens values with the key file of a data directory. The file
// is read at each use, so that one that was put back works at once.
type Sealer struct {
	path string
	mu   sync.Mutex // making the file
}

// NewSealer gives the sealer of a data directory; it reads and makes nothing yet.
func NewSealer(dir string) *Sealer { return &Sealer{path: filepath.Join(dir, KeyFile)} }

// version begins every sealed value; behind it stand a fingerprint of the key,
// then nonce and ciphertext.
const version = "v1"

// Seal encrypts value for name.
func (s *Sealer) Seal(name, value string) (string, error) {
	key, err := s.keyForSealing()
	if err != nil {
		return "", err
	}
	box, err := boxOf(key)
	if err != nil {
		return "", err
	}
	sealed := box.Seal(nil, nil, []byte(value), []byte(name))
	return strings.Join([]string{version, fingerprint(key), base64.RawStdEncoding.EncodeToString(sealed)}, "."), nil
}

// Open decrypts what Seal made for name.
func (s *Sealer) Open(name, sealed string) (string, error) {
	key, err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		return "", s.problem("is missing", err)
	}
	if err != nil {
		return "", err
	}
	v, rest, _ := strings.Cut(sealed, ".")
	made, text, _ := strings.Cut(rest, ".")
	if v == version && made != fingerprint(key) {
		return "", s.problem("is not the one with which this was sealed", nil)
	}
	box, err := boxOf(key)
	if err != nil {
		return "", err
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || v != version {
		return "", damaged(err)
	}
	value, err := box.Open(nil, nil, raw, []byte(name))
	if err != nil {
		return "", damaged(err)
	}
	return string(value), nil
}

// damaged is the error for a sealed value that this key should open and does not.
func damaged(err error) error {
	return &assent.Error{Code: assent.CodeUnavailable, Err: err, Message: "A stored secret is damaged.", Hint: "Set it again."}
}

// problem says what is wrong with the key file and what to do about it.
func (s *Sealer) problem(what string, err error) error {
	return &assent.Error{Code: assent.CodeUnavailable, Err: err, Message: "The key file " + KeyFile + " of the data directory " + what + ", so stored secrets cannot be opened.",
		Hint: "Put the key file that belongs to this data back as " + KeyFile + " in the data directory, or set the secrets again."}
}

func boxOf(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// fingerprint tells keys apart without telling anything about them.
func fingerprint(key []byte) string {
	sum := sha256.Sum256(append([]byte("assent key file: "), key...))
	return hex.EncodeToString(sum[:6])
}

// read gives the key. That there is no file is fs.ErrNotExist, as it comes.
func (s *Sealer) read() ([]byte, error) {
	key, err := os.ReadFile(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, s.problem("cannot be read", err)
	case len(key) != keySize:
		return nil, s.problem("is not 32 bytes long", nil)
	}
	return key, nil
}

// keyForSealing gives the key, and makes the file if there is none.
func (s *Sealer) keyForSealing() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, err := s.read()
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	key = make([]byte, keySize)
	rand.Read(key) // never fails
	if err := s.write(key); err != nil {
		return nil, s.problem("cannot be made", err)
	}
	return key, nil
}

// write makes the file whole or not at all, and lasting: a value sealed with a
// key that a power cut took would be lost.
func (s *Sealer) write(key []byte) error {
	part, err := os.CreateTemp(filepath.Dir(s.path), KeyFile+".*.part") // its mode is 0600
	if err != nil {
		return err
	}
	_, err = part.Write(key)
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), s.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	dir, err := os.Open(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
