import { openDays } from '../journal/days.ts';
import { openJournal } from '../journal/payments.ts';
import type { FateDeps } from './fate.ts';
import { findOwnKey, type OwnKey } from '../keys/own-key.ts';
import type { PayingDeps } from './paying.ts';
import { createPurse } from './purse.ts';
import type { Settings } from './settings.ts';
import { isOnThisComputer } from '../../core/http/service-address.ts';
import { say, type Context } from '../terminal/context.ts';

/** What is needed to learn the fate of payments. No key. */
export function openBooks({ home, chains }: Settings, { fetch, now, sleep, random }: Context): FateDeps {
  const { solanaRpcUrl } = chains;
  return { fetch, now, sleep, solanaRpcUrl, journal: openJournal(home, random) };
}

/** What is needed to pay. The key stays closed until something is signed. */
export function openClient(settings: Settings, context: Context, waitMs: number, key?: OwnKey): PayingDeps {
  const { service, home, chains, keys, choice, maxFee, maxCall, maxDay } = settings;
  const purse = createPurse(key ?? findOwnKey(keys, choice), chains, context);
  const books = openBooks(settings, context);
  const limits = { days: openDays(home), maxFee, maxCall, maxDay };
  return { ...books, ...limits, service, purse, mode: chains.mode, random: context.random, waitMs };
}

/** Local mode's chains have the names of the real ones, so a signature for them is valid on the real ones too. */
export function warnOfPlayMoney({ service, isPlay }: Settings, context: Context): void {
  if (isPlay || !isOnThisComputer(service)) return;
  say(context, `Note: ${service} is on this computer. If its money is play money, pay with --play: a key of your own`);
  say(context, 'signs real payments that hold on the real chain.');
}
