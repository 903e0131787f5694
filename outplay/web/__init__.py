"""The studio: Outplay in the browser, and the same as an HTTP API.

    guard.py     who may ask: same origin, known host, JSON, bounded size
    limits.py    what a request may ask for at most
    choices.py   what requests say, and what they mean: a game, a position, a search, a player
    desk.py      a bounded number of searches at a time, the rest in a queue
    store.py     saved games, in SQLite
    boards.py    a position as JSON: picture, legal actions, where to touch
    records.py · searches.py · trees.py · pages.py    the routes, by subject
    app.py       the application that joins them
"""
