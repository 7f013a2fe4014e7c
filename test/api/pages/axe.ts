import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG 2.2 at level AA, and what axe calls best practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All that can be otherwise where the same page has other colours and another width. */
const RULES_OF_LOOKS = ['color-contrast', 'target-size'];

/** Every rule in light; in dark what depends on colours and sizes, because the markup is the same. */
export function axeFor(page: Page, colorScheme: 'light' | 'dark'): AxeBuilder {
  // Without it each look opens another page to put the results of frames together; no page here has any.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  return colorScheme === 'light' ? axe.withTags(RULES) : axe.withRules(RULES_OF_LOOKS);
}
