import type { Page } from 'playwright-core';

/**
 * All kinds of elements of a page: what axe reads of each, what it stands in and behind, whether it is empty, too small to be
 * aimed at, or scrolls; then the order of headings and of landmarks. Texts and addresses are left out.
 */
const KINDS = `(() => {
  const READ = /^(?:aria-(?!label$|labelledby|describedby|controls)|role$|type$|autocomplete$|lang$|dir$|tabindex$|scope$)/;
  const NAMES_OTHERS = /^(?:for|aria-labelledby|aria-describedby|aria-controls)$/;
  const attribute = ({ name, value }) => {
    if (READ.test(name)) return name + '=' + value;
    const isThere = (id) => document.getElementById(id) !== null;
    if (NAMES_OTHERS.test(name)) return name + '=' + value.split(' ').every(isThere);
    return name + (value.trim() === '' ? ' empty' : '');
  };
  const places = new Map([[null, '']]);
  const placeOf = (element) => {
    const known = places.get(element);
    if (known !== undefined) return known;
    const own = element.localName + '.' + (element.className.baseVal ?? element.className);
    const place = placeOf(element.parentElement) + '>' + own;
    places.set(element, place);
    return place;
  };
  const isSmall = (element) => {
    if (!element.matches('a, button, input, select, textarea, summary')) return false;
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height) < 24;
  };
  const isScrolled = (element) => {
    if (!/auto|scroll/.test(getComputedStyle(element).overflow)) return false;
    return element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
  };
  const kindOf = (element) =>
    [
      placeOf(element),
      element.previousElementSibling?.localName,
      [...element.attributes].map((one) => (one.name.startsWith('data-') ? one.name : attribute(one))).sort(),
      element.textContent.trim() === '',
      element.checkVisibility(),
      isScrolled(element),
      isSmall(element),
    ].join();
  const all = [...document.querySelectorAll('*')];
  const order = (selector) => all.filter((one) => one.matches(selector)).map(({ localName }) => localName).join();
  const ids = all.map(({ id }) => id).filter((id) => id !== '');
  const orders = [order('h1, h2, h3, h4, h5, h6'), order('header, nav, main, aside, footer, form, section')];
  const whole = [...orders, new Set(ids).size === ids.length].join(' ');
  return [...new Set([...all.map(kindOf), whole])];
})()`;

/**
 * Whether a page has anything that no earlier one had, as far as rules of accessibility go: looking at the same elements with
 * other words in them takes a second, and finds the same.
 */
export function createNovelty(): (page: Page) => Promise<boolean> {
  const seen = new Set<string>();
  return async (page) => {
    const fresh = (await page.evaluate<string[]>(KINDS)).filter((kind) => !seen.has(kind));
    for (const kind of fresh) seen.add(kind);
    return fresh.length > 0;
  };
}
