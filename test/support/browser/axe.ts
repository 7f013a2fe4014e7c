import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const RULES = {
  /** WCAG 2.2 at level AA. */
  wcag: { type: 'tag', values: WCAG },
  /** And what axe calls best practice. */
  strict: { type: 'tag', values: [...WCAG, 'best-practice'] },
  /** All that can be otherwise where the same page has other colours and another width. */
  looks: { type: 'rule', values: ['color-contrast', 'target-size'] },
  /** The same where nothing looks new. */
  size: { type: 'rule', values: ['target-size'] },
} as const;

/** The two looks that differ in everything that a look can change. */
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const;

export type AxeOptions = { rules?: keyof typeof RULES; exclude?: string };
/** Marks what the contrast is measured at. */
const MARK = 'data-test-look';
const MEASURE_MARKED = `axe.configure({ rules: [{ id: 'color-contrast', selector: '[${MARK}]' }] })`;

/**
 * A page shows thousands of texts and a hundred looks, and measuring a contrast takes milliseconds. Three texts of each
 * look are measured: the same colours, size and weight, in the same kinds of elements with the same backgrounds, at the
 * same width under the same styles. What was measured on an earlier page is not measured again. Answers what is new.
 */
const MARK_LOOKS = `((known, excluded) => {
  for (const old of document.querySelectorAll('[${MARK}]')) old.removeAttribute('${MARK}');
  const styles = [innerWidth, ...[...document.styleSheets].map(({ href }) => href && new URL(href).pathname)].join();
  const surfaces = new Map();
  const surfaceOf = (element) => {
    if (element === null) return '';
    const known = surfaces.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    const own = [element.localName, element.className.baseVal ?? element.className, element.matches(':disabled')];
    const surface = [surfaceOf(element.parentElement), ...own, backgroundColor, backgroundImage, opacity, position].join();
    surfaces.set(element, surface);
    return surface;
  };
  const looks = new Map();
  const isText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  for (const element of document.querySelectorAll('*')) {
    if (!element.matches('input, select, textarea') && !isText(element)) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (excluded !== null && element.closest(excluded)) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const look = [styles, color, fontSize, fontWeight, surfaceOf(element)].join();
    looks.set(look, [...(looks.get(look) ?? []), element]);
  }
  const digest = (text) => {
    let [one, other] = [7, 11];
    for (let at = 0; at < text.length; at += 1) {
      one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
      other = Math.imul(other ^ text.charCodeAt(at), 0x5bd1e995);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
  };
  const fresh = [];
  for (const [look, same] of looks) {
    const name = digest(look);
    if (known.has(name)) continue;
    fresh.push(name);
    for (const element of [same[0], same[same.length >> 1], same.at(-1)]) element.setAttribute('${MARK}', '');
  }
  return fresh;
})`;

/** Looks whose contrast was measured and is enough. */
const measured = new Set<string>();

type Findings = { violations: string[]; unchecked: string[] };

/** Where axe looks at each page of a context, it costs half to have it there from the start. */
export function bringAxe(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(`${axeSource()};${MEASURE_MARKED}`);
}

/**
 * What axe-core finds, one line each. Without its own driver: no page here has frames, and the driver costs more than the
 * rules.
 */
export async function runAxe(page: Page, { rules = 'wcag', exclude }: AxeOptions = {}): Promise<Findings> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${axeSource()};${MEASURE_MARKED};null`);
  const known = JSON.stringify([...measured]);
  const fresh = await page.evaluate<string[]>(`${MARK_LOOKS}(new Set(${known}), ${JSON.stringify(exclude ?? null)})`);
  const wanted = rules === 'looks' && fresh.length === 0 ? 'size' : rules;
  const context = JSON.stringify(exclude === undefined ? {} : { exclude: [exclude] });
  // A contrast that axe could not determine is one that nobody has checked.
  const found = await page.evaluate<Findings>(`(async () => {
    const lines = (found) => found.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | '));
    const options = ${JSON.stringify({ runOnly: RULES[wanted], resultTypes: ['violations', 'incomplete'] })};
    const { violations, incomplete } = await axe.run({ include: ['html'], ...${context} }, options);
    return { violations: lines(violations), unchecked: lines(incomplete.filter(({ id }) => id === 'color-contrast')) };
  })()`);
  const isClean = found.unchecked.length === 0 && !found.violations.some((line) => line.startsWith('color-contrast'));
  if (isClean) for (const look of fresh) measured.add(look);
  return found;
}

export async function axeViolations(page: Page, options: AxeOptions = {}): Promise<string[]> {
  return (await runAxe(page, options)).violations;
}

/**
 * What is wrong with the page that is open, in light on a phone and in dark on a wide screen: violations, and what makes it scroll
 * sideways. The page is loaded once, and is on the phone afterwards.
 */
export async function findFlaws(page: Page, { rules = 'wcag', exclude }: AxeOptions = {}): Promise<string[]> {
  const excluded = exclude === undefined ? {} : { exclude };
  const flaws: string[] = [];
  for (const look of LOOKS) {
    await show(page, look);
    // The markup is the same in both.
    const found = await runAxe(page, { rules: look === LOOKS[0] ? rules : 'looks', ...excluded });
    const strict = rules === 'strict' ? found.unchecked : [];
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    const sideways = overflow === 0 ? [] : [`scrolls sideways by ${overflow} px`];
    const name = `${look.colorScheme}, ${look.viewport.width} px`;
    flaws.push(...[...found.violations, ...strict, ...sideways].map((flaw) => `${name}: ${flaw}`));
  }
  await show(page, LOOKS[0]);
  return flaws;
}

async function show(page: Page, { colorScheme, viewport }: (typeof LOOKS)[number]): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

let source: string | undefined;

function axeSource(): string {
  const playwright = createRequire(import.meta.url).resolve('@axe-core/playwright');
  source ??= readFileSync(createRequire(playwright).resolve('axe-core/axe.min.js'), 'utf8');
  return source;
}
