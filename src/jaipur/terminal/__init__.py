"""The game in a terminal, drawn or in sentences, against a computer player or a friend. A client of `jaipur.table`.

`app.play` starts it. Everything a player sees comes from the view of that player's seat.
"""
