import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { microUsdc } from '../../../core/money.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import type { Person } from '../chat-kills/person.ts';
import { createTelegramPerson } from '../chat-kills/telegram-person.ts';
import { END, WORKING } from '../chat-kills/verdict.ts';
import type { Tip } from './evidence.ts';
import type { Installation } from './installation.ts';
import type { Tell } from './storm.ts';

const SMALLEST = 50_000n;
const PREPARED_WITHIN_MS = 120_000;
/** One whose tip has not ended by then is not waited for; it has to end all the same. */
const WAIT_MAX_MS = 45_000;
const LOOK_EVERY_MS = 500;

/** What the bot says while it still tries. */
const TRYING = /^(?:⏳ )?(?:Paying|Still paying) /;

type Said = Pick<Tip, 'said'>;

/** It was sent, or its person was told why it was not. */
export const hasEnded = ({ said }: Said): boolean => said.some((text) => !WORKING.test(text) && !TRYING.test(text));
export const isSent = ({ said }: Said): boolean => said.some((text) => END.test(text));

export type Tippers = { tipUntil: (isOver: () => boolean) => Promise<void>; tips: () => Tip[] };

/** People who tip over Telegram, one after the other and each once, while the bots die. Each update comes three times. */
export function createTippers(telegram: FakeTelegram, installation: Installation, tell: Tell): Tippers {
  const made: { tip: Omit<Tip, 'said'>; person: Person }[] = [];

  async function tipOnce(index: number): Promise<void> {
    const user = telegram.createUser({ languageCode: 'en', started: true });
    const person = createTelegramPerson(telegram, user, user);
    // Each is of an amount of its own.
    const amount = microUsdc(SMALLEST + BigInt(index));
    const tip = { handle: `tip${index}`, wallet: `0x${randomBytes(20).toString('hex')}`, amount };
    await installation.fundWallet(person.walletId);
    // The database may be away.
    await eventually(() => installation.linkTo(tip.handle, tip.wallet), PREPARED_WITHIN_MS);
    made.push({ tip, person });
    await person.say({ ...tip, index, payer: index, hasWallet: true });
    const untilMs = Date.now() + WAIT_MAX_MS;
    while (!hasEnded({ said: person.sees() }) && Date.now() < untilMs) await sleep(LOOK_EVERY_MS);
    tell({ at: 'tip', handle: tip.handle, said: person.sees() });
  }

  return {
    async tipUntil(isOver) {
      for (let index = 1; !isOver(); index += 1)
        await tipOnce(index).catch((error: unknown) => tell({ at: 'harness', error: String(error) }));
    },
    tips: () => made.map(({ tip, person }) => ({ ...tip, said: person.sees() })),
  };
}
