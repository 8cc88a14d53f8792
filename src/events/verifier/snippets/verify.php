<?php
// Checks the signature of a Ringward webhook. PHP 7.1 or newer; no packages needed.

const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * $rawBody: the bytes as they arrived. Never JSON that was parsed and written again: its bytes differ.
 * $timestamp, $signature: the headers X-Webhook-Timestamp and X-Webhook-Signature.
 * $secret: the whole string, whsec_ included, not decoded. During a rotation both, the old and the new, with a space between.
 * $now: Unix seconds; the current time if left out.
 */
function verify(string $rawBody, ?string $timestamp, ?string $signature, string $secret, ?int $now = null): bool
{
    if ($timestamp === null || $signature === null || !preg_match('/\A[0-9]{1,12}\z/', $timestamp)) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > WEBHOOK_TOLERANCE_SECONDS) {
        return false;
    }

    foreach (preg_split('/\s+/', $secret) as $each) {
        // A secret that was never configured must not verify anything.
        if (strpos($each, 'whsec_') !== 0) {
            continue;
        }
        $expected = 'v1=' . base64_encode(hash_hmac('sha256', $timestamp . '.' . $rawBody, $each, true));
        // hash_equals takes the same time wherever the two differ.
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
