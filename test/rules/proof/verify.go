// Verify checks files of ringward-proof-1 records. It reads a JSON array of
// cases from standard input, and prints "valid" or "not valid" for each. It was
// written by an engineer who had read only the format in the handbook.
package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

const (
	recordFormat = "ringward-proof-1"
	headFormat   = "ringward-proof-head-1"
	maxInteger   = 1<<53 - 1
)

// noPrevious stands in place of a hash in the first record of a chain.
var noPrevious = strings.Repeat("0", 64)

// proofCase is one proof file, with what is needed to verify it.
type proofCase struct {
	Lines []string `json:"lines"`
	Keys  []string `json:"keys"`
	Head  *string  `json:"head"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(1)
	}
}

// run reads one case at a time, so that the whole input is never in memory.
func run(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	defer w.Flush()

	dec := json.NewDecoder(bufio.NewReader(in))
	if t, err := dec.Token(); err != nil {
		return err
	} else if t != json.Delim('[') {
		return errors.New("the input is not an array")
	}
	for dec.More() {
		var c proofCase
		err := dec.Decode(&c)
		// A case with values of the wrong type is not valid, but the ones after
		// it can still be read. After any other error they cannot.
		var wrongType *json.UnmarshalTypeError
		if err != nil && !errors.As(err, &wrongType) {
			return err
		}
		verdict := "not valid"
		if err == nil && c.valid() {
			verdict = "valid"
		}
		fmt.Fprintln(w, verdict)
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	return w.Flush()
}

// valid reports whether every line passes, and the file agrees with the head.
func (c proofCase) valid() bool {
	keys := make(map[string]bool, len(c.Keys))
	for _, k := range c.Keys {
		keys[k] = true
	}
	var h *head
	if c.Head != nil {
		if h = parseHead(*c.Head, keys); h == nil {
			return false
		}
	}

	var before *record                 // the line before
	latest := make(map[string]*record) // the last line of each organisation
	found := false                     // whether the head's record was seen
	for _, line := range c.Lines {
		r := parseRecord(line, keys)
		if r == nil {
			return false
		}
		if before != nil {
			step := r.chain.sequence - before.chain.sequence
			appliance := h != nil && h.appliance // its head allows no gap
			if step < 1 || step == 1 && r.chain.previous != before.hash || step > 1 && appliance {
				return false
			}
		}
		last := latest[r.organisation]
		if last != nil && (r.own.sequence != last.own.sequence+1 || r.own.previous != last.hash) {
			return false
		}
		found = found || h != nil && h.names(r)
		before = r
		latest[r.organisation] = r
	}
	return before != nil && (h == nil || found)
}

// record holds the parts of a proof that a verifier looks at.
type record struct {
	hash         string
	chain        place  // in the appliance's chain
	organisation string // id
	own          place  // in the organisation's own chain
}

// parseRecord does the steps that concern one line alone (1 to 3). It returns
// nil if the line fails.
func parseRecord(line string, keys map[string]bool) *record {
	hash, m := parseSigned(line, "record", recordFormat, keys)
	if m == nil {
		return nil
	}
	organisation := members(m["organisation"])
	id, isString := stringValue(organisation["id"])
	chain, isPlace := parsePlace(members(m["chain"]))
	own, isOwnPlace := parsePlace(organisation)
	if !isString || !isPlace || !isOwnPlace {
		return nil
	}
	return &record{hash, chain, id, own}
}

// place is where a record stands in a chain.
type place struct {
	sequence int64
	previous string
}

// parsePlace reads a place from the members of an object. Members that are
// missing, as in a nil map, fail.
func parsePlace(m map[string]string) (place, bool) {
	sequence, isSequence := sequenceValue(m["sequence"])
	previous, isString := stringValue(m["previous"])
	ok := isSequence && isString && (previous == noPrevious) == (sequence == 1)
	return place{sequence, previous}, ok
}

// head is a signed statement of the last record of a chain.
type head struct {
	appliance    bool   // the chain is the appliance's
	organisation string // otherwise whose chain it is
	sequence     int64
	last         string
}

// parseHead returns nil if the head is not valid.
func parseHead(line string, keys map[string]bool) *head {
	_, m := parseSigned(line, "head", headFormat, keys)
	if m == nil {
		return nil
	}
	appliance := m["organisation"] == "null"
	organisation, isString := stringValue(m["organisation"])
	sequence, isSequence := sequenceValue(m["sequence"])
	last, isLast := stringValue(m["last"])
	if !(isString || appliance) || !isSequence || !isLast {
		return nil
	}
	return &head{appliance, organisation, sequence, last}
}

// names reports whether r is the record that the head states.
func (h *head) names(r *record) bool {
	if r.hash != h.last {
		return false
	}
	if h.appliance {
		return r.chain.sequence == h.sequence
	}
	return r.organisation == h.organisation && r.own.sequence == h.sequence
}

// parseSigned does what records and heads have in common (steps 1 and 2): the
// form, the hash and the signature. It returns the hash, and the members of the
// signed object, or nil if the line fails.
func parseSigned(line, name, format string, keys map[string]bool) (string, map[string]string) {
	if !canonical(line) {
		return "", nil
	}
	outer := members(line)
	if len(outer) != 3 {
		return "", nil
	}
	// The line is canonical, so this part of it is what was hashed and signed.
	body := outer[name]
	m := members(body)
	if f, ok := stringValue(m["format"]); !ok || f != format {
		return "", nil
	}

	sum := sha256.Sum256([]byte(body))
	hash, _ := stringValue(outer["hash"])
	keyText, _ := stringValue(m["key"])
	if hash != hex.EncodeToString(sum[:]) || !keys[keyText] {
		return "", nil
	}
	key := hexValue(m["key"], ed25519.PublicKeySize) // Verify panics on other sizes
	signature := hexValue(outer["signature"], ed25519.SignatureSize)
	if key == nil || signature == nil || !ed25519.Verify(key, []byte(body), signature) {
		return "", nil
	}
	return hash, m
}

// level is an array or object that is still open.
type level struct {
	end  byte   // the character that closes it
	name string // the last name in an object, to check the order
}

// canonical reports whether s is one value in canonical JSON. It does not call
// itself, because deep nesting in hostile input would exhaust the stack.
func canonical(s string) bool {
	var open []level
	for {
		// A value starts here.
		if n := scalarLen(s); n > 0 {
			s = s[n:]
		} else if strings.HasPrefix(s, "[]") || strings.HasPrefix(s, "{}") {
			s = s[2:]
		} else if strings.HasPrefix(s, "[") {
			open = append(open, level{end: ']'})
			s = s[1:]
			continue
		} else if strings.HasPrefix(s, "{") {
			name, rest, ok := cutName(s[1:])
			if !ok {
				return false
			}
			open = append(open, level{end: '}', name: name})
			s = rest
			continue
		} else {
			return false
		}

		// A value has ended. So may the arrays and objects that it is in.
		for len(open) > 0 && s != "" && s[0] == open[len(open)-1].end {
			open = open[:len(open)-1]
			s = s[1:]
		}
		if len(open) == 0 {
			return s == ""
		}
		if !strings.HasPrefix(s, ",") {
			return false
		}
		s = s[1:]
		if top := &open[len(open)-1]; top.end == '}' {
			name, rest, ok := cutName(s)
			if !ok || name <= top.name {
				return false
			}
			top.name, s = name, rest
		}
	}
}

// cutName takes the name of a member, and the colon after it, from the front of s.
func cutName(s string) (name, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	n := 1
	for n < len(s) && (s[n] == '_' || 'a' <= s[n] && s[n] <= 'z') {
		n++
	}
	return s[1:n], strings.TrimPrefix(s[n:], `":`), n > 1 && strings.HasPrefix(s[n:], `":`)
}

// scalarLen returns the length of the string, number, true, false or null at the
// front of s, and 0 if there is none.
func scalarLen(s string) int {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(s, word) {
			return len(word)
		}
	}
	n := 0
	if strings.HasPrefix(s, `"`) {
		for n = 1; n < len(s) && inString(s[n]); n++ {
		}
		if strings.HasPrefix(s[n:], `"`) {
			return n + 1
		}
		return 0
	}
	for n < len(s) && (s[n] == '-' || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	if n == 0 {
		return 0
	}
	// Writing the number again finds leading zeros and -0.
	i, err := strconv.ParseInt(s[:n], 10, 64)
	if err != nil || i < -maxInteger || i > maxInteger || strconv.FormatInt(i, 10) != s[:n] {
		return 0
	}
	return n
}

// inString reports whether a canonical string may contain c.
func inString(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte(" ?._:/+-", c) >= 0
}

// members returns the text of each member of a canonical object, and nil if s is
// not an object. Strings cannot contain quotes, commas, brackets or braces, so
// those characters always belong to the structure.
func members(s string) map[string]string {
	if !strings.HasPrefix(s, "{") {
		return nil
	}
	m := make(map[string]string)
	depth, start := 0, 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 || depth == 1 && s[i] == ',' {
			if name, value, ok := cutName(s[start:i]); ok {
				m[name] = value
			}
			start = i + 1
		}
	}
	return m
}

// stringValue returns the string that a canonical text stands for.
func stringValue(text string) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// sequenceValue returns the number that a canonical text stands for, if it is an
// integer from 1.
func sequenceValue(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 1
}

// hexValue decodes a string of lower-case hexadecimal digits. It returns nil if
// the text is not such a string, or does not give exactly size bytes.
func hexValue(text string, size int) []byte {
	s, _ := stringValue(text)
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != size || hex.EncodeToString(b) != s {
		return nil
	}
	return b
}
