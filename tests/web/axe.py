"""Checks of a page with axe."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

# Without selectors axe is several times as fast.
ALL_RULES: dict[str, object] = {
    "resultTypes": ["violations"],
    "preload": False,
    "selectors": False,
}
CONTRAST_ONLY = ALL_RULES | {"runOnly": ["color-contrast"]}
RUN = "options => axe.run(options).then(({ violations }) => violations)"

WITHOUT_PATTERN = """() => {
  for (const each of document.querySelectorAll("*")) {
    if (getComputedStyle(each).backgroundImage.startsWith("url")) each.style.backgroundImage = "none";
  }
}"""
"""Removes background images, because axe does not check the contrast of text on them."""


def assert_accessible(page: Page, state: str) -> None:
    """Assert that axe finds no violations in the light theme, and enough contrast in the dark one."""
    expect(page.locator(".art:empty")).to_have_count(0)
    page.evaluate(WITHOUT_PATTERN)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.emulate_media(color_scheme="light")
    assert not axe_violations(page, ALL_RULES), (state, "light")
    page.emulate_media(color_scheme="dark")
    assert not axe_violations(page, CONTRAST_ONLY), (state, "dark")


def axe_violations(page: Page, options: dict[str, object]) -> list[str]:
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in page.evaluate(RUN, options)
        for node in each["nodes"]
    ]
