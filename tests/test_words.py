"""Every language has every text with the same values, no text is unused, and plurals follow CLDR."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from jaipur.players.registry import LEVELS
from jaipur.rules import Card, Reason, Rule
from jaipur.rules.cards import KINDS, LETTERS, pile_of
from jaipur.rules.errors import SENTENCES
from jaipur.words import LANGUAGES, Language, Words, language_for, plural_category, texts_of

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "jaipur"
PAGES = [file for end in ("ts", "svelte") for file in (ROOT / "web" / "src").rglob(f"*.{end}")]
PAGES.append(ROOT / "web" / "vite.config.js")
FORMS = (".one", ".other", ".you", ".they")
OTHERS = [language for language in LANGUAGES if language != "en"]
WIDEST_NAME = 8
"""The width of a drawn card in characters."""


def values_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def keys_in_python() -> Iterator[re.Pattern[str]]:
    """Every key that the Python sources use; a hole of an f-string matches any word."""
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        keys = list(keys_asked_for(tree))
        names = {node.id for key in keys for node in ast.walk(key) if isinstance(node, ast.Name)}
        for expression in (*keys, *values_given(tree, names)):
            yield from literals(expression)


def keys_in_pages() -> Iterator[re.Pattern[str]]:
    """Every string of the browser code that may be a key."""
    for file in PAGES:
        for quoted in re.finditer(r"(\bt\()?([\"`'])([\w.${}]+)\2", file.read_text("utf-8")):
            called, _, text = quoted.groups()
            if called or "." in text:
                parts = re.split(r"\$\{\w+\}", text)
                yield re.compile(r"[\w-]+".join(map(re.escape, parts)))


def keys_asked_for(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions for the key in the calls of `Words`."""
    places = {"say": 0, "find": 0, "by": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            place = places.get(node.func.attr, len(node.args))
            yield from node.args[place : place + 1]


def values_given(tree: ast.AST, names: set[str]) -> Iterator[ast.expr]:
    """The values that variables of these names are assigned or iterate over."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pass
            case _:
                continue
        if any(isinstance(name, ast.Name) and name.id in names for name in ast.walk(target)):
            yield value


def literals(expression: ast.expr) -> Iterator[re.Pattern[str]]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.compile(re.escape(node.value))
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            parts = [
                re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"[\w-]+"
                for p in node.values
            ]
            yield re.compile("".join(parts))


def shared_key(key: str) -> str:
    """A key without its plural category, in which languages differ."""
    return re.sub(r"\.(zero|one|two|few|many)$", ".other", key)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys(language: Language) -> None:
    english = texts_of("en")
    assert set(map(shared_key, texts_of(language))) == set(map(shared_key, english))


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_has_the_same_values_in_every_language(language: Language) -> None:
    english = texts_of("en")
    wrong = [
        key
        for key, text in texts_of(language).items()
        if values_in(text) != values_in(english.get(key) or english[shared_key(key)])
    ]
    assert not wrong


def test_every_text_is_used() -> None:
    used = [*keys_in_python(), *keys_in_pages()]
    unused = []
    for key in texts_of("fr"):
        base = next((key.removesuffix(form) for form in FORMS if key.endswith(form)), key)
        if not any(text.fullmatch(key) or text.fullmatch(base) for text in used):
            unused.append(key)
    assert not unused


def test_only_keys_are_found_in_the_sources() -> None:
    tree = ast.parse('key = "a" if x else "b"\nseals = {"seals": words.say(key, seals="c")}')
    keys = list(keys_asked_for(tree))
    found = [
        text.pattern for value in (*keys, *values_given(tree, {"key"})) for text in literals(value)
    ]
    assert found == ["a", "b"]


def test_english_reasons_are_those_of_the_rules() -> None:
    for rule, sentence in SENTENCES.items():
        assert texts_of("en")[f"reason.{rule}"] == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: Language) -> None:
    words = Words(language)
    for rule in Rule:
        kinds = ("kind", "other")
        values = {name: "D" if name in kinds else 2 for name in values_in(SENTENCES[rule])}
        sentence = words.reason(Reason(rule, values))
        assert sentence.endswith(".")
        assert "{" not in sentence


@pytest.mark.parametrize(
    ("language", "kind", "sentence"),
    [
        ("fr", "D", "Cartes diamants au marché\u00a0: 1\u00a0; vous en demandez 2."),
        ("fr", "G", "Cartes or au marché\u00a0: 1\u00a0; vous en demandez 2."),
        ("it", "D", "Carte diamanti al mercato: 1; ne chiedi 2."),
        ("it", "L", "Carte cuoio al mercato: 1; ne chiedi 2."),
    ],
)
def test_reasons_read_well_with_every_kind(language: Language, kind: str, sentence: str) -> None:
    reason = Reason(Rule.NOT_IN_MARKET, {"kind": kind, "have": 1, "wanted": 2})
    assert Words(language).reason(reason) == sentence
    assert Words("en").reason(reason) == str(reason)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The market has no gold."),
        ("fr", "Aucune carte or au marché."),
        ("it", "Al mercato non c’è nessuna carta oro."),
    ],
)
def test_a_reason_does_not_count_zero_cards(language: Language, sentence: str) -> None:
    reason = Reason(Rule.NOT_IN_MARKET, {"kind": "G", "have": 0, "wanted": 1})
    assert Words(language).reason(reason) == sentence


def test_french_punctuation_stays_on_the_line_of_its_word() -> None:
    texts = {key: text for key, text in texts_of("fr").items() if key != "language.plurals"}
    assert not [key for key, text in texts.items() if re.search(r"\S [;:?!»]|« ", text)]


@pytest.mark.parametrize(("language", "you"), [("en", "you"), ("fr", "vous"), ("it", "tu")])
def test_you_has_no_capital_inside_a_sentence(language: Language, you: str) -> None:
    words = Words(language)
    assert words.inside(words.say("label.you")) == you
    assert words.inside("Ann") == "Ann"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "1 diamond, 2 gold and 3 camels"),
        ("fr", "1 diamant, 2 cartes or et 3 chameaux"),
        ("it", "1 diamante, 2 carte oro e 3 cammelli"),
    ],
)
def test_cards_are_counted_and_listed(language: Language, text: str) -> None:
    assert Words(language).cards(pile_of([0, 1, 1, 6, 6, 6])) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_has_a_name_of_its_own(language: Language) -> None:
    names = [Words(language).say(f"level.name.{level.name}") for level in LEVELS]
    assert len(set(names)) == len(LEVELS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_cards_fit_on_a_card(language: Language) -> None:
    words = Words(language)
    assert all(len(words.card(kind)) <= WIDEST_NAME for kind in KINDS)
    assert all(len(words.kind(kind)) <= WIDEST_NAME for kind in KINDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_differ_from_moves_and_from_each_other(language: Language) -> None:
    commands = ("help", "moves", "table", "log", "save", "quit")
    spelt = [word for name in commands for word in texts_of(language)[f"command.{name}"].split()]
    assert len(spelt) == len(set(spelt))
    assert all(
        word == word.casefold() and word[0] not in "+-" and not word.isdigit() for word in spelt
    )
    assert all(len(word) > 1 or word.upper() not in LETTERS for word in spelt)


@pytest.mark.parametrize(
    ("requested", "environment", "language"),
    [
        ("it", {"LANG": "fr_FR.UTF-8"}, "it"),
        (None, {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "it_CH"}, "it"),
        (None, {"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        (None, {"LC_ALL": "", "LANG": "fr"}, "fr"),
        (None, {"LANG": "xx_XX.UTF-8"}, "en"),
        (None, {"LANG": "fro"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_the_requested_one_or_that_of_the_locale(
    requested: str | None, environment: dict[str, str], language: Language
) -> None:
    assert language_for(requested, environment) == language


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["0 camels", "1 camel", "2 camels"]),
        ("fr", ["0 chameau", "1 chameau", "2 chameaux"]),
        ("it", ["0 cammelli", "1 cammello", "2 cammelli"]),
    ],
)
def test_a_number_of_cards_has_its_plural_form(language: Language, forms: list[str]) -> None:
    assert [Words(language).counted(Card.CAMEL, n) for n in range(3)] == forms


def test_plural_rules_are_those_of_cldr() -> None:
    polish = (
        "one: i = 1; "
        "few: i % 10 = 2..4 and i % 100 != 12..14; "
        "many: i % 10 = 0..1,5..9 or i % 100 = 12..14"
    )
    expected = {0: "many", 1: "one", 3: "few", 5: "many", 12: "many", 21: "many", 22: "few"}
    assert {n: plural_category(polish, n) for n in expected} == expected


def test_a_language_is_one_file() -> None:
    assert {"en", "fr", "it"} <= set(LANGUAGES)
    assert set(LANGUAGES) == {file.stem for file in (SOURCE / "words").glob("*.json")}
