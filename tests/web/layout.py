"""Checks that a board fits the screen: nothing scrolls, overlaps or is too small to touch."""

from playwright.sync_api import Page

SIZES = [
    (360, 640), (640, 360), (768, 1024), (900, 700), (960, 540), (1024, 600), (1024, 768), (1280, 720),
]  # fmt: skip
LAYOUT_PROBLEMS = """() => {
  const inside = box => box.left >= -0.5 && box.top >= -0.5
    && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
  const root = document.documentElement;
  const wrong = [];
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) wrong.push("it scrolls");
  const hand = [...document.querySelectorAll(".hand button")];
  for (const button of document.querySelectorAll(".room :is(button, .button)")) {
    const box = button.getBoundingClientRect();
    if (!box.width) continue;
    const name = button.ariaLabel || button.textContent.trim();
    const held = hand.includes(button);
    const next = held ? hand[hand.indexOf(button) + 1]?.getBoundingClientRect().left : undefined;
    const free = Math.min(box.width, (next ?? Infinity) - box.left);
    if (!inside(box)) wrong.push(`${name} is outside`);
    if (free < (held ? 39.9 : 43.9) || box.height < 43.9) wrong.push(`${name}: ${free} × ${box.height}`);
    const middle = document.elementFromPoint(box.left + Math.min(free, box.width) / 2, box.top + box.height / 2);
    if (!button.contains(middle)) wrong.push(`${name} is covered by ${middle?.className}`);
    if (button.scrollWidth > button.clientWidth + 1) wrong.push(`${name} is cut off`);
    const bar = button.closest(".bar");
    if (box.height > (bar?.clientHeight ?? Infinity)) wrong.push(`${name} is higher than its row`);
  }
  for (const part of document.querySelectorAll(".bonuses > *, .memory-aid .row > *, .player > *")) {
    if (!inside(part.getBoundingClientRect())) wrong.push(`${part.textContent.trim()} is outside`);
  }
  const [camel, number] = ["i", "b"].map(part => document.querySelector(`.herd ${part}`)?.getBoundingClientRect());
  if (camel && number.top < camel.bottom - 1) wrong.push("the number of camels is on the camel");
  const line = document.querySelector(".news");
  if (line.scrollHeight > line.clientHeight + 1) wrong.push(`cut off: ${line.textContent}`);
  if (!inside(line.getBoundingClientRect())) wrong.push("the last move is outside");
  return wrong;
}"""


def assert_layout(page: Page, state: str) -> None:
    """Assert that the board fits all screen sizes."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(LAYOUT_PROBLEMS), (state, width, height)
