<?php
// Checks the signature of a Ringward webhook. PHP 7.1 or newer; no packages needed.

const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * $rawBody: the bytes as they arrived. Never JSON that was parsed and written again: its bytes differ.
 * $timestamp, $signature: the headers X-Webhook-Timestamp and X-Webhook-Signature.
 * $secret: the whole string, whsec_ included, not decoded.
 * $now: Unix seconds; the current time if left out.
 */
function verify(string $rawBody, ?string $timestamp, ?string $signature, string $secret, ?int $now = null): bool
{
    // A secret that was never configured must not verify anything.
    if (strpos($secret, 'whsec_') !== 0) {
        return false;
    }
    if ($timestamp === null || $signature === null || !preg_match('/\A[0-9]{1,12}\z/', $timestamp)) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > WEBHOOK_TOLERANCE_SECONDS) {
        return false;
    }

    $expected = 'v1=' . base64_encode(hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret, true));
    // hash_equals takes the same time wherever the two differ.
    return hash_equals($expected, $signature);
}
