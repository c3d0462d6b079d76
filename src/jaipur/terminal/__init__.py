"""The game in a terminal, drawn or in sentences, against a computer player or another person. It uses `jaipur.table`.

`app.play` starts it. All information shown to a player comes from the view of that player's seat.
"""
