import { AppError } from '../../core/errors.ts';
import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import { confirmTreasuryWithdrawal, type Confirmed, type Standing } from '../../db/treasury/treasury-confirm.ts';
import {
  confirmationsOf,
  findTreasuryWithdrawal,
  rejectTreasuryWithdrawal,
  type TreasuryWithdrawal,
} from '../../db/treasury/treasury-withdrawals.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PressEvent } from '../shared/messenger.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { speaking } from '../conversation/speech.ts';
import { askStanding, findTreasuryPlace } from './treasury-place.ts';
import type { TreasuryProblem } from '../../texts/treasury/problem.ts';
import { treasuryCard, treasuryProblemView } from './treasury-views.ts';
import { draftWithdrawal } from '../wallets/withdraw-draft.ts';
import { showCurrent } from '../shared/show-current.ts';
import { findWithdrawal } from '../../db/withdrawals/find.ts';

/** A round fails only when another moderator confirms meanwhile. */
const ROUNDS_MAX = 20;

/** `refusal`: for the person who pressed; null where the card itself shows it. `confirmed`: the money goes now. */
export type PressedCard = { refusal: View | null; confirmed: boolean };

/** Checks everything again: the card may be a day old, and anyone may press. */
export async function pressConfirm(deps: CoreDeps, event: PressEvent, id: string): Promise<PressedCard> {
  const row = await findRow(deps, id);
  const refused = (problem: TreasuryProblem) => ({ refusal: treasuryProblemView(deps, problem), confirmed: false });
  const problem = await findPlaceProblem(deps, event, row);
  if (problem !== null) return refused(problem);
  const paying = deps.networks.find(({ network }) => network === row.network);
  if (paying === undefined) throw new Error(`a card is for ${row.network}, which is not offered`);
  if (row.status !== 'proposed') return over(deps, row);
  const pressed = await confirmWithStanding(deps, event, { row, paying });
  if ('code' in pressed) return refused(pressed);
  if (pressed.kind === 'over') return over(deps, await findRow(deps, id));
  await showCard(deps, await findRow(deps, id));
  return { refusal: null, confirmed: pressed.kind === 'confirmed' };
}

export async function pressReject(deps: CoreDeps, event: PressEvent, id: string): Promise<PressedCard> {
  const { store, clock } = deps;
  const row = await findRow(deps, id);
  const refused = (problem: TreasuryProblem) => ({ refusal: treasuryProblemView(deps, problem), confirmed: false });
  const problem = await findPlaceProblem(deps, event, row);
  if (problem !== null) return refused(problem);
  const standing = await askStanding(deps, row, [event.userId]);
  if (standing === null) return refused({ code: 'standing_unknown' });
  if (!mayDecide(event, standing)) return refused({ code: 'not_moderator' });
  const rejected = await rejectTreasuryWithdrawal(store, id, { userId: event.userId, nowMs: clock.now() });
  if (rejected === null) return over(deps, await findRow(deps, id));
  await showCard(deps, rejected);
  return { refusal: null, confirmed: false };
}

type Subject = { row: TreasuryWithdrawal; paying: PayingNetwork };

/** Asks the platform about all who have confirmed, and about those who do so meanwhile. */
async function confirmWithStanding(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'messengers' | 'log' | 'networks'>,
  event: PressEvent,
  { row, paying }: Subject,
): Promise<Exclude<Confirmed, { kind: 'ask_again' }> | TreasuryProblem> {
  const { store, clock } = deps;
  const { id, walletId, toAddress: address } = row;
  const fromAddress = await paying.addressOf(walletId);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const confirmers = await confirmationsOf(store.read, store.tables, id);
    const askedIds = [...new Set([event.userId, ...confirmers.map(({ userId }) => userId)])];
    const standing = await askStanding(deps, row, askedIds);
    if (standing === null) return { code: 'standing_unknown' };
    if (!mayDecide(event, standing)) return { code: 'not_moderator' };
    if (round === 0) {
      const amount = { kind: 'exact', amount: microUsdc(row.amountMicroUsdc) } as const;
      const drafted = await draftWithdrawal(deps, { walletId, network: paying.network, address, amount });
      if (drafted.kind === 'problem') return { code: 'withdraw', problem: drafted.problem };
    }
    const { userId } = event;
    const press = { id, userId, askedIds, standing, network: paying.network, fromAddress, nowMs: clock.now() };
    const result = await orLimited(confirmTreasuryWithdrawal(store, press));
    if ('code' in result || result.kind !== 'ask_again') return result;
  }
  throw new Error(`${ROUNDS_MAX} others have confirmed the withdrawal ${id} while one confirmed it`);
}

/** The owner counts whether or not the platform lists them among the moderators. */
function mayDecide({ userId }: PressEvent, { ownerId, moderatorIds }: Standing): boolean {
  return userId === ownerId || moderatorIds.includes(userId);
}

async function orLimited(work: Promise<Confirmed>): Promise<Confirmed | TreasuryProblem> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
    return { code: 'limited' };
  }
}

/** A card may have been forwarded to where its presser is a moderator. */
async function findPlaceProblem(
  deps: Pick<CoreDeps, 'store' | 'clock'>,
  event: PressEvent,
  { walletId }: TreasuryWithdrawal,
): Promise<TreasuryProblem | null> {
  const found = await findTreasuryPlace(deps, event);
  if (found.kind === 'problem') return found.problem;
  return found.place.walletId === walletId ? null : { code: 'not_moderator' };
}

/** A process may have ended before it could show how the card ended, so it is shown again. */
async function over(deps: CoreDeps, row: TreasuryWithdrawal): Promise<PressedCard> {
  if (row.status !== 'proposed') await showCard(deps, row);
  return { refusal: treasuryProblemView(deps, { code: 'card_over' }), confirmed: false };
}

async function findRow({ store }: Pick<CoreDeps, 'store'>, id: string): Promise<TreasuryWithdrawal> {
  const row = await findTreasuryWithdrawal(store, id);
  if (row === null) throw new Error(`a button is about the withdrawal ${id} from a treasury, which is not there`);
  return row;
}

/** In the language of the request, because the card is for everyone. */
export async function showCard(deps: CoreDeps, first: TreasuryWithdrawal): Promise<void> {
  const { store } = deps;
  const withRest = async (row: TreasuryWithdrawal) => ({
    row,
    presses: await confirmationsOf(store.read, store.tables, row.id),
    leaving: row.status === 'confirmed' ? await findWithdrawal(store, row.id) : null,
  });
  await showCurrent({
    first: await withRest(first),
    async read() {
      const row = await findTreasuryWithdrawal(store, first.id);
      return row && withRest(row);
    },
    async show({ row }) {
      const { transport, chatId, messageId, language } = row;
      if (messageId === null) return;
      await deps.messengers[transport]?.edit(chatId, messageId, await treasuryCard(speaking(deps, language), row));
    },
    faceOf: ({ row, presses, leaving }) => [row.status, presses, leaving?.status],
  });
}
