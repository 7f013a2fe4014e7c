import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatDriver, Means, Person, Scene, Shown } from './drivers/chat-driver.ts';
import { startStage, TRANSPORTS, type Stage, type TransportName } from './stage.ts';

export type Scenario = {
  /** A fact. */
  title: string;
  /** What a transport needs for it to be possible at all. */
  needs?: readonly (keyof Means)[];
  /** On these alone: what it is about is decided in the same words before any transport shows it. */
  on?: readonly TransportName[];
  language?: string;
  /** People there have a name by which the platform finds them. */
  hasHandles?: true;
  /** The bot has no right there that it can do without. */
  isPlain?: true;
  play: (stage: Stage, scene: Scene) => Promise<void>;
};

/** Each scenario on each transport that has the means for it: one start for all of a file, new people for each. */
export function playOnAll(scenarios: readonly Scenario[]): void {
  const able = TRANSPORTS.filter((name) => scenarios.some((scenario) => isPlayed(name, scenario)));
  describe.each(able)('on %s', (name) => {
    let stage: Stage;
    let scene: Scene | null = null;
    beforeAll(async () => {
      stage = await startStage(name);
    });
    afterAll(() => stage.close());
    let refusedBefore = 0;
    beforeEach(() => {
      stage.reset();
      refusedBefore = stage.driver.refused().length;
    });
    afterEach(async () => {
      await scene?.close();
      scene = null;
      await stage.idle();
    });
    for (const { title, language, hasHandles = false, isPlain = false, play } of scenarios.filter((scenario) =>
      isPlayed(name, scenario),
    )) {
      test(title, async () => {
        scene = await stage.driver.open({ hasHandles, isPlain, ...(language === undefined ? {} : { language }) });
        await play(stage, scene);
        await stage.idle();
        expect(stage.driver.refused().slice(refusedBefore)).toEqual([]);
      });
    }
  });
}

/**
 * What each transport has no means for. Written down here, and compared with what its driver says: a scenario that is not
 * played somewhere is left out on purpose.
 */
export const LACKS: Readonly<Record<(typeof TRANSPORTS)[number], readonly (keyof Means)[]>> = {
  web: ['groups', 'mentions', 'replies', 'summaries', 'bareNames', 'accounts', 'clientLanguage', 'programs'],
  discord: ['bareNames', 'freeText'],
  telegram: [],
};

export function lacksOf({ means }: Pick<ChatDriver, 'means'>): string[] {
  return Object.entries(means).flatMap(([name, isThere]) => (isThere ? [] : [name]));
}

function isPlayed(name: TransportName, { needs = [], on = TRANSPORTS }: Scenario): boolean {
  return on.includes(name) && canPlay(name, needs);
}

function canPlay(name: (typeof TRANSPORTS)[number], needs: readonly (keyof Means)[]): boolean {
  return needs.every((need) => !LACKS[name].includes(need));
}

export const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 15 });

/** The newest message that this person sees, once it says this. */
export async function hears(scene: Scene, person: Person, text: RegExp): Promise<Shown> {
  return until(() => {
    const found = scene.shown(person).findLast((message) => text.test(message.text));
    if (found) return found;
    throw new Error(
      `${person.name} sees no ${text}, but ${JSON.stringify(scene.shown(person).map((one) => one.text))}`,
    );
  });
}

/** Nothing is under way any more: for what must not have come. */
export async function quiet(stage: Stage): Promise<void> {
  await stage.idle();
  await until(() => expect(stage.isQuiet()).toBe(true));
}

/** That a message is for this person's eyes: nobody of the others could ever read any of its words. */
export function expectForAlone(scene: Scene, person: Person, message: Shown): void {
  expect(message.isPrivate).toBe(true);
  const [headline = ''] = message.text.split('\n');
  for (const other of [scene.alice, scene.bob, scene.carl]) {
    if (other.id === person.id) continue;
    for (const words of scene.everRead(other)) expect(words).not.toContain(headline);
  }
}

/** What was paid, each payment once. */
export function payments(stage: Stage): { path: string; body: object }[] {
  const keys = new Map(stage.api.seen.flatMap((one) => (one.header === null ? [] : [[one.key, one] as const])));
  return [...keys.values()].map(({ path, body }) => ({ path, body }));
}

/** Scenarios about one thing that a community manager found wrong. */
export const finding = (number: number, what: string, scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.map((scenario) => ({ ...scenario, title: `${number}, ${what}: ${scenario.title}` }));

/** Said alone with the bot, where nobody has to be mentioned; answers what came of it. */
export async function asked(scene: Scene, text: string, answer: RegExp): Promise<Shown> {
  await scene.say(scene.alice, text, { where: 'direct' });
  return hears(scene, scene.alice, answer);
}

export async function expectNothingPaid(stage: Stage): Promise<void> {
  await quiet(stage);
  expect(payments(stage)).toEqual([]);
}
