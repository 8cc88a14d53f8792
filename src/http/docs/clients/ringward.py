"""Client of a Ringward appliance. One file, Python 3.8 or newer, no packages needed.

    import ringward

    hospital = ringward.Ringward("https://calls.hospital.example", api_key)
    call = hospital.create_call({"agent_id": "...", "user_number": "+919810000000", "scheduled_time": "..."})
    for call in hospital.list_calls(status="failed"):
        print(call["call_id"])

The appliance serves this file at /docs/clients/ringward.py, with a method for each operation of its own version.
"""
import base64
import email.utils
import hashlib
import hmac
import http.client
import json
import random
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Dict, Iterator, Mapping, Optional

__version__ = "{{version}}"

# The longest answer that is read: an export of people, calls or proofs.
MOST_BYTES = 256 * 1024 * 1024

# Safe to send again: the request did not run.
NOT_RUN = {429}
# Sent again where running twice does no harm: the first request may have run.
MAYBE_RUN = {408, 502, 503, 504}


class RingwardError(Exception):
    """A request that failed. `code` is one of the error codes of the API, or None if the answer was not Ringward's."""

    def __init__(self, status: int, code: Optional[str], message: str, body: Any, request_id: Optional[str]):
        super().__init__(f"{status} {code or 'unknown'}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.body = body
        self.request_id = request_id


class Unreachable(Exception):
    """No answer: refused, reset or timed out on every attempt. The last request may have run."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the API key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Connection:
    """Sends requests, repeats those that may be repeated, and turns faults into exceptions."""

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        timeout: float = 30,
        attempts: int = 5,
        longest_wait: float = 120,
        context: Optional[ssl.SSLContext] = None,
        sleep: Callable[[float], None] = time.sleep,
    ):
        """
        timeout: seconds for each attempt.
        attempts: in all, for a request that may be repeated.
        longest_wait: a Retry-After beyond these seconds is not waited for, and the fault is raised.
        context: for a certificate of the hospital's own: ssl.create_default_context(cafile="hospital.pem").
        """
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        if not re.fullmatch(r"https?://[^/?#\s]+(/[^?#\s]*)?", url):
            raise ValueError("url must be the address of the appliance, such as https://calls.hospital.example")
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._attempts = attempts
        self._longest_wait = longest_wait
        self._sleep = sleep
        handlers: list = [_NoRedirects()]
        if context is not None:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(*handlers)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        accept: str = "application/json",
    ) -> Any:
        """The parsed answer with its envelope; bytes if it is not JSON, and None if it is empty.

        Repeated only if that does no harm: GET, PUT, DELETE, and POST with an idempotency key.
        """
        url = self._url + path
        given = {name: _plain(value) for name, value in (query or {}).items() if value is not None}
        if given:
            url += "?" + urllib.parse.urlencode(given)
        headers = {"x-api-key": self._api_key, "accept": accept, "user-agent": f"ringward-python/{__version__}"}
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False).encode()
            headers["content-type"] = "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        may_run_twice = method in ("GET", "HEAD", "PUT", "DELETE") or idempotency_key is not None
        made = urllib.request.Request(url, data=data, headers=headers, method=method)

        for attempt in range(1, self._attempts + 1):
            try:
                with self._opener.open(made, timeout=self._timeout) as answer:
                    return _content(answer)
            except urllib.error.HTTPError as fault:
                error, wait = _told(fault), _retry_after(fault.headers)
                again = (
                    fault.code in NOT_RUN
                    or (may_run_twice and fault.code in MAYBE_RUN)
                    or error.code == "IDEMPOTENCY_IN_PROGRESS"
                )
                if not again or attempt == self._attempts or (wait or 0) > self._longest_wait:
                    raise error from None
                self._sleep(_backoff(attempt) if wait is None else wait)
            except (OSError, http.client.HTTPException) as fault:
                # Includes time-outs and connections that ended in the middle of an answer.
                if not may_run_twice or attempt == self._attempts:
                    raise Unreachable(f"{method} {path}: {type(fault).__name__}") from fault
                self._sleep(_backoff(attempt))
        raise AssertionError("unreachable")

    def items(
        self, path: str, query: Optional[Mapping[str, Any]] = None, body: Optional[Mapping[str, Any]] = None
    ) -> Iterator[Dict[str, Any]]:
        """Every row of a list, page by page, as they are needed. A search has its question in the body."""
        is_search = body is not None
        asked = dict((body if is_search else query) or {})
        while True:
            page = self.request("POST", path, body=asked) if is_search else self.request("GET", path, query=asked)
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_plain(each) for each in value)
    return str(value)


def _data(answer: Any) -> Any:
    """What is in the answer, without its envelope."""
    return answer["data"] if isinstance(answer, dict) and set(answer) == {"data"} else answer


def _part(value: str) -> str:
    """One part of a path."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError("an id must be a text that is not empty")
    return urllib.parse.quote(value, safe="")


def _content(answer: Any) -> Any:
    raw = answer.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise ValueError("the answer is longer than MOST_BYTES")
    if not raw:
        return None
    kind = answer.headers.get_content_type()
    return json.loads(raw) if kind == "application/json" else raw


def _told(fault: urllib.error.HTTPError) -> RingwardError:
    raw = fault.read(1024 * 1024)
    request_id = fault.headers.get("x-request-id")
    try:
        body = json.loads(raw)
        error = body["error"]
        return RingwardError(fault.code, error["code"], error["message"], body, request_id)
    except (ValueError, KeyError, TypeError):
        return RingwardError(fault.code, None, "The answer is not Ringward's.", None, request_id)


def _retry_after(headers: Any) -> Optional[float]:
    value = headers.get("retry-after")
    if value is None:
        return None
    if re.fullmatch("[0-9]{1,9}", value):
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _backoff(attempt: int) -> float:
    """0.5 s, 1 s, 2 s, 4 s, with half of it at random, so that many clients do not return together."""
    full = 0.5 * 2 ** (attempt - 1)
    return full / 2 + random.random() * full / 2


{{verify}}

class Ringward(Connection):
    """The operations of the API. Path values are positional; each method says its scope."""

{{operations}}
