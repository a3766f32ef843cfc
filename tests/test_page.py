"""Pages in a real browser: those that never finish, files that are no pages, and what is masked of them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from focusagent.errors import UserError
from focusagent.masking import FILLED
from focusagent.page import page_of_url

FORM = """<title>Log in</title><form action=/login method=post>
<label>Name <input name=user value=ann></label>
<label>Password <input type=text autocomplete=new-password value=hunter2></label>
<label>Again <input type=password name=again></label>
<textarea name=api_key>hunter2</textarea>
<button>Log in</button></form><dialog open><button>Close</button></dialog>
<form method=dialog><button>OK</button></form><p>Note: ann</p>"""


class Site(BaseHTTPRequestHandler):
    silent = 0

    def do_GET(self) -> None:
        kinds = {"/file.pdf": "application/pdf", "/doc": "application/pdf", "/data": "application/octet-stream"}
        self.send_response(200)
        self.send_header("Content-Type", kinds.get(self.path, "text/html"))
        self.end_headers()
        image = f"<title>Shop</title><button>Pay now</button><img src=http://127.0.0.1:{self.silent}/x.png>"
        body = {"/slow": image, "/form": FORM}.get(self.path, "%PDF-1.4")
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Site.silent = silent.getsockname()[1]  # takes connections, never answers
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_page_that_never_finishes_loading_is_read_as_far_as_it_is_there(site: str) -> None:
    page = page_of_url(f"{site}/slow", wait=0.5)
    assert "button 'Pay now'" in page.text
    assert page.note == "the page had not finished loading after 0.5 s; this is what was there"


@pytest.mark.parametrize(("path", "kind"), [("/file.pdf", "a PDF"), ("/doc", "a PDF"), ("/data", "a download")])
def test_a_file_that_is_no_page_is_said_by_name(site: str, path: str, kind: str) -> None:
    with pytest.raises(UserError, match=f"{path} is {kind}, not a page"):
        page_of_url(site + path)


def test_secrets_are_masked_and_forms_are_known(site: str) -> None:
    plain, masked = page_of_url(f"{site}/form"), page_of_url(f"{site}/form", mask=True)
    assert plain.text.count("hunter2") >= 2
    assert "hunter2" not in masked.text
    lines = masked.text.split("\n")
    assert len(lines) == len(plain.text.split("\n"))
    assert any("textbox 'Password'" in line and f"value={FILLED!r}" in line for line in lines)
    assert any("textbox 'Again'" in line and FILLED not in line for line in lines)
    assert any("textbox 'Name'" in line and "value='ann'" in line for line in lines)
    assert "StaticText 'Note: ann'" in masked.text
    bids = {line.split("]")[0].strip("\t["): line for line in lines if line.strip().startswith("[")}
    named = {bid for bid, line in bids.items() if any(word in line for word in ("'Log in'", "'Name'", "'Again'"))}
    assert named - {bid for bid, line in bids.items() if "RootWebArea" in line} <= masked.in_forms
    assert not {bid for bid, line in bids.items() if "'Close'" in line or "'OK'" in line} & masked.in_forms
