"""The words of the game in English, French and Italian: one file a language, and what reads them."""

from jaipur.words.language import LANGUAGES, Language, language_for
from jaipur.words.words import Words, texts_of

__all__ = ["LANGUAGES", "Language", "Words", "language_for", "texts_of"]
