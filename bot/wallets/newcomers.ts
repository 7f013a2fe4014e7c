import type { Action, Paragraph, View } from '../../core/view.ts';
import { isGuardedAt } from '../../core/wallets/passkeys.ts';
import { endWaitingHolders, sessionsOf } from '../../db/wallets/holders.ts';
import { passkeysOf, type Passkey } from '../../db/wallets/passkeys.ts';
import type { PasskeyFacts } from '../../texts/wallets/en.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import type { PersonWallet } from '../shared/wallets.ts';

type Deps = Pick<CoreDeps, 'store' | 'clock' | 'texts' | 'random'>;

/** Who was let into these wallets and may not spend yet, and what waits of passkeys, each with a button that ends it. */
export async function newcomerLines(
  deps: Deps,
  userId: string,
  wallets: readonly PersonWallet[],
): Promise<{ lines: Paragraph[]; buttons: Action[] }> {
  const { store, clock, texts } = deps;
  const nowMs = clock.now();
  const lines: Paragraph[] = [];
  const buttons: Action[] = [];
  for (const { walletId, name } of wallets) {
    const waiting = (await sessionsOf(store, walletId)).filter(({ fromMs }) => fromMs > nowMs);
    const [first] = waiting.toSorted((a, b) => a.fromMs - b.fromMs);
    const passkeys = await passkeysOf(store.read, store.tables, walletId, nowMs);
    const [changing] = passkeys.flatMap((passkey) => changeOf(passkey, nowMs));
    if (first === undefined && changing === undefined) continue;
    if (first !== undefined) {
      const isGuarded = isGuardedAt(passkeys, first.fromMs);
      lines.push(texts.newcomers({ name, count: waiting.length, at: new Date(first.fromMs), isGuarded }));
    }
    if (changing !== undefined) lines.push(texts.passkeyWaits({ name, ...changing }));
    buttons.push(await newButton(deps, userId, { action: 'end_new_holders', walletId }, texts.endNewcomers(name)));
  }
  return { lines, buttons };
}

/** Nothing of one that counts and stays. */
function changeOf({ holdsFromMs, endsAtMs }: Passkey, nowMs: number): Pick<PasskeyFacts, 'change' | 'at'>[] {
  if (holdsFromMs > nowMs) return [{ change: 'added', at: new Date(holdsFromMs) }];
  return endsAtMs === null ? [] : [{ change: 'ends', at: new Date(endsAtMs) }];
}

/** Whether it was still held is asked in the transaction that ends them. */
export async function endedHoldersView(
  { store, clock, texts }: Pick<CoreDeps, 'store' | 'clock' | 'texts'>,
  userId: string,
  walletId: string,
): Promise<View> {
  const count = await endWaitingHolders(store, { walletId, holderId: userId }, clock.now());
  return privateView(
    count === 0 || count === null ? 'error' : 'ok',
    [texts.endedNewcomers(count)],
    [tryCommand('/wallet')],
  );
}
