import { TREASURY_CARD_MS, treasuryWalletOf } from '../../core/treasury/treasury.ts';
import { countsFrom, findTreasuryAddress } from '../../db/treasury/treasury-addresses.ts';
import {
  confirmationsOf,
  findTreasuryWithdrawal,
  type TreasuryWithdrawal,
} from '../../db/treasury/treasury-withdrawals.ts';
import type { Store } from '../../db/store/store.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import { refusal } from './signing.ts';

/**
 * Checks in our own store what lets money leave a treasury: a card for exactly this withdrawal; an address that had
 * been public for a day when the card was confirmed and that nobody took back; and the confirmations of the owner and
 * of a moderator, or of the owner alone where there is no other moderator. Throws a plain Error where anything is
 * missing.
 */
export async function checkTreasury(store: Store, row: WithdrawalRow, nowMs: number): Promise<void> {
  const card = await findTreasuryWithdrawal(store, row.id);
  if (card === null) throw refusal('a card that asked for this', row.id);
  checkCard(row, card);
  // Else a forged time in the future would make any address old enough.
  if (card.endedAtMs === null || card.endedAtMs > nowMs) throw refusal('a card confirmed by now', card.endedAtMs);
  await checkAddress(store, card, card.endedAtMs);
  await checkConfirmations(store, card, card.endedAtMs);
}

function checkCard(row: WithdrawalRow, card: TreasuryWithdrawal): void {
  const { walletId, network, toAddress, amountMicroUsdc } = card;
  if (treasuryWalletOf(card) !== walletId) throw refusal('the wallet of this community', walletId);
  if (card.status !== 'confirmed') throw refusal('a card that is confirmed', card.status);
  if (row.walletId !== walletId) throw refusal(`money from ${walletId}`, row.walletId);
  if (row.holderId !== walletId) throw refusal('a withdrawal of nobody in particular', row.holderId);
  if (row.network !== network) throw refusal(`a withdrawal on ${network}`, row.network);
  if (row.toAddress !== toAddress) throw refusal(`the address ${toAddress}`, row.toAddress);
  if (row.amountMicroUsdc !== amountMicroUsdc) throw refusal(`${amountMicroUsdc} micro-USDC`, row.amountMicroUsdc);
}

async function checkAddress(store: Store, card: TreasuryWithdrawal, confirmedAtMs: number): Promise<void> {
  const address = await findTreasuryAddress(store, card.addressId);
  if (address === null) throw refusal('an address that was announced', card.addressId);
  if (address.walletId !== card.walletId) throw refusal('an address of this treasury', address.walletId);
  if (address.network !== card.network) throw refusal(`an address on ${card.network}`, address.network);
  if (address.address !== card.toAddress) throw refusal(`the address ${address.address}`, card.toAddress);
  if (address.cancelledAtMs !== null) throw refusal('an address that nobody took back', address.id);
  if (countsFrom(address, { botSinceMs: null }) > confirmedAtMs) throw refusal('an address a day old', address.id);
}

async function checkConfirmations(store: Store, card: TreasuryWithdrawal, confirmedAtMs: number): Promise<void> {
  const all = await confirmationsOf(store.read, store.tables, card.id);
  const inTime = all.filter(
    ({ confirmedAtMs: atMs }) => atMs >= card.createdAtMs && atMs < card.createdAtMs + TREASURY_CARD_MS,
  );
  const owners = inTime.filter(({ role, confirmedAtMs: atMs }) => role === 'owner' && atMs <= confirmedAtMs);
  if (owners.length !== 1) throw refusal('the confirmation of the owner', owners.length);
  const others = inTime.filter(({ role, confirmedAtMs: atMs }) => role === 'moderator' && atMs <= confirmedAtMs);
  if (others.length === 0 && card.isOwnerAlone !== true) throw refusal('a second confirmation', all.length);
}
