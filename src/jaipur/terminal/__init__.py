"""The game in a terminal: drawn, or in plain sentences for a screen reader; against a computer player or a friend.

`start.play` is the door. What a person is shown is drawn from the view of their seat and from nothing else.
"""
