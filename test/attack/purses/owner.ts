import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsdc } from '../../../core/money.ts';
import { countHits } from '../../../scripts/torture/faults.ts';
import { createCollector } from '../../support/claims/collector.ts';
import {
  agree,
  expectBalance,
  letOut,
  prove,
  prowl,
  readAll,
  send,
  signOut,
  spendTooEarly,
  takeOut,
  type Places,
  type Self,
} from './deeds.ts';
import { balancesOf, type Marks } from './marks.ts';
import type { PursePlan } from './plan.ts';

/** A page asks again by itself, but the service allows no more than sixty looks a minute. */
const TRY_AGAIN_MS = 1_500;

type World = {
  /** Where the service answers; null while it is dead. */
  url: () => string | null;
  /** How long a step may take over all deaths. */
  patienceMs: number;
  outAddress: string;
  marks: Marks;
};

export type Owner = ReturnType<typeof createOwner>;

/** A person with a purse and two browsers, who tries until they see that it is done. */
export function createOwner(plan: PursePlan, { url, patienceMs, outAddress, marks }: World) {
  const { index, platform, handle, walletId } = plan;
  const [leaks, injected]: [string[], string[]] = [[], []];
  let looks = 0;
  let doing = '';

  const accuse = (what: string) => void leaks.push(`${handle} on ${platform} ${what}`);
  const saw = (path: string, text: string) => {
    if (marks.isAbout(text, index)) looks += 1;
    for (const mark of marks.strangersIn(text, index)) accuse(`saw ${mark} at ${path}`);
  };
  const self: Self = {
    plan,
    outAddress,
    first: createCollector(url, saw),
    second: createCollector(url, saw),
    places: { walletId, claimId: '', order: '', token: '', withdrawal: '' },
    inject: (fault) => void injected.push(fault),
    accuse,
  };
  const { first, second } = self;

  /** The service may die under any of these; the person tries again, and so does their page. */
  async function keepTrying<T>(what: string, step: () => Promise<T>): Promise<T> {
    doing = what;
    const untilMs = Date.now() + patienceMs;
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (Date.now() > untilMs)
          throw new Error(`${handle} on ${platform} ${what}: ${String(error)}`, { cause: error });
        await sleep(TRY_AGAIN_MS);
      }
    }
  }
  const [collected, afterSending] = balancesOf(plan);

  return {
    plan,
    outAddress,
    places: (): Places => self.places,
    leaks: () => leaks,
    looks: () => looks,
    isTakingOut: () => doing === 'takes out',
    /** What was done on purpose. */
    hits: () => countHits(injected),
    async live(): Promise<void> {
      await keepTrying('collects', () => prove(self, first, { keep: true }));
      await keepTrying('waits for the money', () => expectBalance(first, formatUsdc(collected)));
      await keepTrying('signs in elsewhere', () => prove(self, second, { open: true }));
      await keepTrying('looks elsewhere', () => expectBalance(second, formatUsdc(collected)));
      await keepTrying('tries to spend elsewhere', () => spendTooEarly(self));
      await keepTrying('sends', () => send(self));
      await keepTrying('sees what is left', () => expectBalance(first, formatUsdc(afterSending)));
      await keepTrying('takes out', () => takeOut(self));
      await keepTrying('reads', () => readAll(self));
      doing = '';
    },
    read: () => keepTrying('reads again', () => readAll(self)),
    prowl: (other: Places) => keepTrying('asks for what is not theirs', () => prowl(self, other)),
    /** All that was agreed to comes once more. */
    async deliverAgain(): Promise<void> {
      await keepTrying('agrees again', () => agree(self));
      await keepTrying('takes out once more', () => letOut(self));
    },
    signOut: () => keepTrying('signs out', () => signOut(self)),
  };
}
