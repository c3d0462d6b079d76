"""Texts for players: one JSON file per language, and the code that reads them."""

from jaipur.words.language import DEFAULT, LANGUAGES, Language, language_for
from jaipur.words.words import Words, texts_of

__all__ = ["DEFAULT", "LANGUAGES", "Language", "Words", "language_for", "texts_of"]
