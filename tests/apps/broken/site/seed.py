import json
import os
import sqlite3
import sys

from words import Words

data = os.environ["FOCUSAGENT_APP_DATA"]
words = Words(sys.argv[1])
with sqlite3.connect(os.path.join(data, "toy.sqlite3")) as connection:
    connection.executemany("INSERT INTO notes (text, seen) VALUES (?, 0)", [(words.bug(),) for _ in range(5)])
with open(os.path.join(data, "cookies.json"), "w") as file:
    json.dump({"admin": [{"name": "who", "value": "admin"}]}, file)
