import os
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

DATABASE = os.path.join(os.environ["FOCUSAGENT_APP_DATA"], "toy.sqlite3")


class Handler(BaseHTTPRequestHandler):
    """`/` shows the notes, `/add/TEXT` adds one."""

    def do_GET(self) -> None:
        with sqlite3.connect(DATABASE) as connection:
            connection.execute("INSERT INTO visits DEFAULT VALUES")
            if self.path.startswith("/add/"):
                connection.execute("INSERT INTO notes (text, seen) VALUES (?, 1)", (unquote(self.path[5:]),))
            notes = [row[0] for row in connection.execute("SELECT text FROM notes ORDER BY id")]
        connection.close()
        body = "\n".join(notes).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
