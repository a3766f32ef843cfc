"""What Chromium's Fetch domain says of a request, read; and the answers that it takes. Pure: no browser in here."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, NamedTuple

from focusagent.security.sandbox.judge import Request
from focusagent.security.sandbox.policy import Kind

# Requests of every kind, and the answers that can start a document or a worker (see `Sandbox.csp`).
PATTERNS: list[dict[str, str]] = [
    {"urlPattern": "*", "requestStage": "Response", "resourceType": "Document"},
    {"urlPattern": "*", "requestStage": "Response", "resourceType": "Other"},
    {"urlPattern": "*"},
]
XML = ("application/xhtml", "image/svg", "text/xml", "application/xml")
# What a body that was unpacked and is sent again must not claim, and what the browser has taken from it already.
DROPPED = frozenset(("content-encoding", "content-length", "transfer-encoding", "set-cookie"))


class Command(NamedTuple):
    """One call of the DevTools protocol."""

    method: str
    params: dict[str, Any]


def request_of(event: Mapping[str, Any], kind: Kind) -> Request:
    """The paused request."""
    request = event["request"]
    headers = {str(name).lower(): str(value) for name, value in (request.get("headers") or {}).items()}
    return Request(
        method=str(request["method"]).upper(),
        url=str(request["url"]) + str(request.get("urlFragment") or ""),
        kind="worker" if headers.get("service-worker") == "script" else kind,
        origin=headers.get("origin", ""),
        body=_body(request),
        content_type=headers.get("content-type", "").lower(),
    )


def _body(request: Mapping[str, Any]) -> bytes | None:
    """The body; None where there is one that the browser does not tell, such as a file's."""
    entries = request.get("postDataEntries")
    if entries:
        parts = [entry.get("bytes") for entry in entries]
        if any(part is None for part in parts):
            return None
        try:
            return b"".join(base64.b64decode(part) for part in parts)
        except (binascii.Error, ValueError):
            return None
    if (text := request.get("postData")) is not None:
        return str(text).encode("utf-8", "replace")
    return None if request.get("hasPostData") else b""


def refuse(request_id: str, kind: Kind) -> Command:
    """A refused document is answered with "204 No Content": the tab or the frame stays where it is, and no error page
    comes up. Everything else fails."""
    if kind in ("document", "frame"):
        return Command("Fetch.fulfillRequest", {"requestId": request_id, "responseCode": 204})
    return Command("Fetch.failRequest", {"requestId": request_id, "errorReason": "BlockedByClient"})


def headers_of(event: Mapping[str, Any]) -> list[dict[str, str]]:
    return list(event.get("responseHeaders") or [])


def header(event: Mapping[str, Any], name: str) -> str:
    """A response header's value in lower case, "" where there is none."""
    return next((h["value"].lower() for h in headers_of(event) if h["name"].lower() == name), "")


def is_xml(event: Mapping[str, Any]) -> bool:
    """Whether the answer is a document that can run scripts and has no HTML head, such as an SVG picture."""
    status = int(event.get("responseStatusCode") or 0)
    return not (status in (204, 205, 304) or 300 <= status < 400) and header(event, "content-type").startswith(XML)


def is_download(event: Mapping[str, Any]) -> bool:
    return "attachment" in header(event, "content-disposition")


def with_csp(event: Mapping[str, Any], csp: str, body: Mapping[str, Any]) -> Command:
    """The same answer again, under our Content-Security-Policy. (A continued answer's own copy of the policy is read
    before we see it, so it has to be sent anew, body and all.)"""
    text = str(body["body"])
    params = {
        "requestId": event["requestId"],
        "responseCode": event["responseStatusCode"],
        "responseHeaders": _kept(event, csp),
        "body": text if body.get("base64Encoded") else base64.b64encode(text.encode()).decode(),
    }
    return Command("Fetch.fulfillRequest", params)


def worker_with_csp(event: Mapping[str, Any], csp: str) -> Command:
    """A worker's script, under our policy: here a continued answer's headers count."""
    headers = [*headers_of(event), {"name": "Content-Security-Policy", "value": csp}]
    params = {
        "requestId": event["requestId"],
        "responseCode": event["responseStatusCode"],
        "responseHeaders": headers,
    }
    return Command("Fetch.continueResponse", params)


def _kept(event: Mapping[str, Any], csp: str) -> list[dict[str, str]]:
    kept = [one for one in headers_of(event) if one["name"].lower() not in DROPPED]
    return [*kept, {"name": "Content-Security-Policy", "value": csp}]
