"""The studio: Outplay in the browser, and the same as an HTTP API.

    guard.py     who may ask: same origin, known host, JSON, bounded size
    limits.py    what a request may ask for at most
    choices.py   what requests say, and what they mean: a game, a position, a search, a player
    desk.py      a bounded number of searches at a time, the rest in a queue
    store.py     saved games, in SQLite
    boards.py    a position as JSON: picture, legal actions, where to touch
    tables.py    games in progress, whose players remember between moves
    reasons.py   why a move is not legal
    laying.py    what tiles that lie on Scrabble's board make, before they are played
    gallery.py · figures.py    pictures of all games and of the lessons
    teaching.py · live.py · room.py    a class that takes part: the teacher's routes, questions and answers, the students' own door
    own.py       the author's own files, named when the studio was started
    records.py · searches.py · trees.py · arenas.py · constraints.py · pages.py    the routes, by subject
    app.py       the application that joins them
"""
