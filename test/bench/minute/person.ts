import type { Locator, Page } from 'playwright-core';

/** What a way has asked of a person. */
export type Effort = {
  screens: number;
  /** Screens that offer more than one way on. */
  decisions: number;
  taps: number;
  /** Characters typed, codes that were read elsewhere among them. */
  typed: number;
  /** How long each wait was that took more than a second, from a tap to the next screen. */
  waitsMs: readonly number[];
};

export type Person = {
  page: Page;
  /** Goes on when `next` can be seen: that is another screen. */
  see: (next: Locator) => Promise<void>;
  tap: (target: Locator) => Promise<void>;
  /** A link elsewhere, in a mail, opens in this browser. */
  open: (url: string) => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
  effort: () => Effort;
};

/** Below this, nobody calls it waiting. */
const WAIT_MS = 1_000;
/** What leads on from a screen: not a link in its frame, and not what is folded away. */
const WAYS = 'main :is(button, a.button, summary):visible';

/** Counts what one person does on one page, from the moment in which it is open. */
export function createPerson(page: Page): Person {
  const counted = { screens: 0, decisions: 0, taps: 0, typed: 0, waitsMs: [] as number[] };
  let sinceMs: number | null = null;

  async function see(next: Locator): Promise<void> {
    await next.waitFor().catch(async (cause: unknown) => {
      throw new Error(`another screen came:\n${await page.locator('main').innerText()}`, { cause });
    });
    if (sinceMs !== null) {
      const waitedMs = performance.now() - sinceMs;
      if (waitedMs > WAIT_MS) counted.waitsMs.push(waitedMs);
    }
    sinceMs = null;
    counted.screens += 1;
    if ((await page.locator(WAYS).count()) > 1) counted.decisions += 1;
  }

  return {
    page,
    see,
    tap: async (target) => {
      counted.taps += 1;
      sinceMs = performance.now();
      await target.click();
    },
    open: async (url) => {
      counted.taps += 1;
      sinceMs = performance.now();
      await page.goto(url);
    },
    type: async (field, text) => {
      counted.typed += text.length;
      await field.fill(text);
    },
    effort: () => ({ ...counted }),
  };
}
