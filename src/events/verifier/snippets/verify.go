// Package webhook checks the signature of a Ringward webhook with the standard library alone.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

const toleranceSeconds = 300

// Verify reports whether a delivery is genuine and fresh.
//
// rawBody: the bytes as they arrived. Never JSON that was parsed and written again: its bytes differ.
// timestamp, signature: the headers X-Webhook-Timestamp and X-Webhook-Signature ("" if absent).
// secret: the whole string, whsec_ included, not decoded. During a rotation both, the old and the new, with a space between.
// now: Unix seconds, time.Now().Unix().
func Verify(rawBody []byte, timestamp, signature, secret string, now int64) bool {
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := now - sentAt; age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}

	for _, each := range strings.Fields(secret) {
		// A secret that was never configured must not verify anything.
		if !strings.HasPrefix(each, "whsec_") {
			continue
		}
		mac := hmac.New(sha256.New, []byte(each))
		mac.Write([]byte(timestamp + "."))
		mac.Write(rawBody)
		expected := "v1=" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		// hmac.Equal takes the same time wherever the two differ.
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}
