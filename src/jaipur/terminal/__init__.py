"""The game in a terminal, against a computer player or another person. It is drawn or printed as sentences.

`app.play` starts a game. The game runs on a `jaipur.table.Table`. All information shown to a player comes from the view
of the player's seat.
"""
