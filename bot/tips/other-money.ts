import { RATE_HOLDS_MS } from '../../core/grammar/rates.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { code, type View } from '../../core/view.ts';
import { newSayButtonId } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { nameIn, sayIn } from '../conversation/said.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { tipCommand } from './order-command.ts';
import { wordsOfTip } from './order-placing.ts';

type Deps = Pick<CoreDeps, 'store' | 'random' | 'clock' | 'texts' | 'otherMoney'>;

/** A tip in other money is asked about each time, because its sum is of this moment; null for one in dollars. */
export async function askAtRate(deps: Deps, event: TextEvent, tip: Tip): Promise<View | null> {
  const { texts, clock, otherMoney } = deps;
  const { typed, amount } = tip;
  if (typed === undefined || amount.kind !== 'exact') return null;
  const rate = otherMoney?.rates.get(typed.currency);
  if (rate === undefined) throw new Error(`a tip in ${typed.currency} was read without a rate for it`);
  const words = wordsOfTip(tip);
  const command = tipCommand(words) ?? tipCommand({ ...words, note: null });
  // Far too many people for one line: they can be named again with a sum in dollars.
  if (command === null) return privateView('error', [texts.unknown()], [tryCommand('/help')]);
  const typedAs = tip.viaLink === true ? command.replace(/^\/tip/, '/pay') : command;
  const said = { ...sayIn(event, typedAs), untilMs: clock.now() + RATE_HOLDS_MS, isRate: true };
  const id = await newSayButtonId(deps, event, said);
  const facts = { typed, amount: amount.amount, rate, source: otherMoney?.source ?? null };
  return privateView(
    'ok',
    [texts.askAtRate(facts), [code(nameIn(said.command, event.context))], texts.rateHolds(RATE_HOLDS_MS / 1_000)],
    [{ kind: 'button', label: texts.payAtRate(), id }],
  );
}
