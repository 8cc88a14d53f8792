# Checks the signature of a Ringward webhook. Python 3.8 or newer; no packages needed.
import base64
import hashlib
import hmac
import re
import time
from typing import Optional

TOLERANCE_SECONDS = 300


def verify(
    raw_body: bytes,
    timestamp: Optional[str],
    signature: Optional[str],
    secret: str,
    now: Optional[int] = None,
) -> bool:
    """
    raw_body: the bytes as they arrived. Never JSON that was parsed and written again: its bytes differ.
    timestamp, signature: the headers X-Webhook-Timestamp and X-Webhook-Signature.
    secret: the whole string, whsec_ included, not decoded. During a rotation both, the old and the new, with a space between.
    now: Unix seconds; the current time if left out.
    """
    if not timestamp or not signature or not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if now is None:
        now = int(time.time())
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False

    received = signature.encode("utf-8", "replace")
    for each in secret.split():
        # A secret that was never configured must not verify anything.
        if not each.startswith("whsec_"):
            continue
        mac = hmac.new(each.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).digest()
        if hmac.compare_digest(received, b"v1=" + base64.b64encode(mac)):
            return True
    return False
