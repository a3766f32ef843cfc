import os
import sqlite3

with sqlite3.connect(os.path.join(os.environ["FOCUSAGENT_APP_DATA"], "toy.sqlite3")) as connection:
    connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, seen INTEGER)")
    connection.execute("CREATE TABLE visits (id INTEGER PRIMARY KEY)")
