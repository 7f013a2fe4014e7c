import { isOfKind } from '../../db/transfers/find.ts';
import { parseAbiItem } from 'viem';
import type { BaseChain } from '../support/chains/base-chain.ts';
import { USDC } from '../support/pay.ts';
import { OTHER_RECEIVER, type Hex, type World } from './world.ts';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)');

/** Everything that is wrong at the end of a run, in words; the chain, not the database, says what happened. */
export async function findFaults(chain: BaseChain, world: World, fromBlock: bigint): Promise<string[]> {
  const faults: string[] = [];
  const service = world.service();
  const { read, tables } = service.store;
  const treasury = service.parts.treasury.address;
  const payments = await read.select().from(tables.payments);
  const payouts = await read.select().from(tables.transfers).where(isOfKind(tables, 'payout'));
  const lines = await read.select().from(tables.lines);
  const proofs = await read.select().from(tables.proofs);
  const transfers = await read.select().from(tables.observedTransfers);
  const logs = (event: typeof TRANSFER | typeof USED) => chain.client.getLogs({ address: USDC, event, fromBlock });
  const [moved, used] = await Promise.all([logs(TRANSFER), logs(USED)]);
  const place = (log: { blockNumber: bigint; logIndex: number }) => `${log.blockNumber}/${log.logIndex}`;
  const transferAt = new Map(moved.map((log) => [place(log), log.args as { from: Hex; to: Hex; value: bigint }]));
  /** Nonces whose transfer to the treasury is on the chain. */
  const landed = new Set<string>();
  const paidOut: { nonce: string; to: string; value: bigint }[] = [];
  for (const log of used) {
    const { authorizer, nonce } = log.args as { authorizer: Hex; nonce: Hex };
    const transfer = transferAt.get(place({ ...log, logIndex: log.logIndex + 1 }));
    if (transfer === undefined) continue;
    if (transfer.to.toLowerCase() === treasury) landed.add(nonce);
    if (authorizer.toLowerCase() === treasury)
      paidOut.push({ nonce, to: transfer.to.toLowerCase(), value: transfer.value });
  }

  // Payments: each is over, and the books and the chain agree on each.
  const settled = new Set(payments.filter(({ status }) => status === 'final').map(({ nonce }) => nonce));
  for (const { id, status, nonce, tries, carrierId } of payments) {
    if (status !== 'final' && status !== 'rejected')
      faults.push(`payment ${id} ends as ${status} (tries ${tries}, carrier ${carrierId})`);
    if (status === 'final' && !landed.has(nonce))
      faults.push(`payment ${id} is final, but its transfer is not on the chain`);
  }
  const open = payments.filter(({ status }) => status !== 'rejected').map(({ nonce }) => nonce);
  if (new Set(open).size !== open.length) faults.push('two payments stand for one authorization');
  for (const nonce of landed) {
    if (settled.has(nonce)) continue;
    // It waits to be explained, or it is on its way back.
    const unexplained = transfers.some(
      // Waiting to be explained, or on its way back to its sender.
      (row) => row.nonce === nonce && row.landed && (row.consumedBy === null || row.consumedBy === 'suspense'),
    );
    if (!world.frontRun.has(nonce as Hex)) faults.push(`authorization ${nonce} was charged and nothing came of it`);
    else if (!unexplained) faults.push(`authorization ${nonce}, sent by a stranger, is in no book`);
  }
  for (const { nonce, alias } of proofs) {
    if (alias && landed.has(nonce) && !world.frontRun.has(nonce as Hex)) faults.push(`the alias ${nonce} was charged`);
  }

  // Proofs: what one was used for first is all that it pays.
  const boundTo = (nonce: string) => {
    const ids = [...payments, ...proofs.map(({ paymentId: id, nonce: own }) => ({ id, nonce: own }))]
      .filter((row) => row.nonce === nonce)
      .map(({ id }) => id);
    return new Set(lines.filter(({ paymentId }) => ids.includes(paymentId)).map(({ recipientKey }) => recipientKey));
  };
  for (const [index, { answers }] of world.wishes.entries()) {
    for (const { proof, sameBody, status, error } of answers) {
      const isTaken = status === 200 || error === 'settlement_pending';
      if (sameBody || !isTaken) continue;
      const bound = boundTo(proof.nonce);
      if (bound.size > 0 && !bound.has(OTHER_RECEIVER))
        faults.unshift(`wish ${index}: its proof, bound to ${[...bound].join()}, was taken for another request`);
    }
  }

  // Wishes: charged at most once each, answered with one txn_id, and never told 402 of something that was charged.
  for (const [index, wish] of world.wishes.entries()) {
    const charged = wish.proofs.filter(({ nonce }) => settled.has(nonce));
    if (charged.length > 1) faults.push(`wish ${index} was charged ${charged.length} times`);
    const txnIds = new Set(wish.answers.filter(({ status }) => status === 200).map(({ txnId }) => txnId));
    if (txnIds.size > 1) faults.push(`wish ${index} was answered with ${txnIds.size} txn_ids`);
    if (txnIds.size === 1 && charged.length === 0 && !world.wasReorganised())
      faults.push(`wish ${index} got its 200 and was not charged`);
    for (const { nonce } of charged) {
      const last = wish.answers.findLast(({ proof, status }) => proof.nonce === nonce && status !== 400);
      if (last?.status === 402) faults.push(`wish ${index} was told 402 (${String(last.error)}) and charged`);
    }
    // A proof whose claim was released may be used first by its next presenter, for whatever body.
    const otherUse = wish.answers.some((answer) => !answer.sameBody);
    for (const { status, error, sameBody } of wish.answers) {
      // A payer that may be a contract is asked for on the chain, before the claim; the node may be away.
      if (error === 'internal_error' && wish.payer !== world.payers[2])
        faults.push(`wish ${index} met an internal error`);
      if (sameBody && status === 400 && !otherUse && error !== 'payment_returned')
        faults.push(`wish ${index} was told 400 ${String(error)}`);
    }
  }

  // Recipients: each line that is paid was paid exactly once, to the wallet that was linked.
  const finalPayouts = payouts.filter(({ status }) => status === 'final');
  if (
    new Set(paidOut.map(({ nonce }) => nonce)).size !== finalPayouts.length ||
    paidOut.length !== finalPayouts.length
  ) {
    faults.push(`${paidOut.length} payouts are on the chain, ${finalPayouts.length} in the books`);
  }
  for (const { id, status, heldReason, toAddress } of payouts) {
    // To a blacklisted wallet: set aside, or sent in vain until its authorization runs out.
    const explained = status === 'final' || world.everBlacklisted.has(toAddress as Hex);
    const orphaned = lines.some(
      ({ payoutId, paymentId }) =>
        payoutId === id && payments.some((row) => row.id === paymentId && row.status === 'rejected'),
    );
    if (!explained && !(orphaned && world.wasReorganised()))
      faults.push(`payout ${id} ends as ${status} (${heldReason})`);
  }
  for (const [receiver, wallet] of world.wallets) {
    const due = finalPayouts
      .filter(({ toAddress }) => toAddress === wallet)
      .reduce((sum, row) => sum + row.amountMicroUsdc, 0n);
    const has = await chain.usdcBalance(wallet);
    if (due !== has) faults.push(`${receiver} has ${has}, the books say ${due}`);
  }
  for (const { txnId, paymentId, status, recipientKey } of lines) {
    const payment = payments.find(({ id }) => id === paymentId);
    if (payment?.status !== 'final') continue;
    const linked = [...world.linked].some((receiver) => receiver === recipientKey);
    if (status !== (linked ? 'paying' : 'escrowed')) faults.push(`line ${txnId} to ${recipientKey} ends as ${status}`);
  }

  // Books.
  await service.assertSound().catch((error: Error) => faults.push(error.message));
  const stops = await read.select().from(tables.signingStops);
  for (const { reason, detail } of stops) faults.push(`signing stopped: ${reason} ${detail}`);
  for (const { payer, unsettled } of await read.select().from(tables.payerLoads)) {
    if (unsettled !== 0) faults.push(`payer ${payer} still has a load of ${unsettled}`);
  }
  for (const { name, used: amount } of await read.select().from(tables.counters)) {
    // What left on a day, or was spent on it, stays counted for that day; what has settled or ended, for good.
    const isOfDay = name.includes('_daily:') || /^(?:native|rent|settled|ended):/.test(name);
    if (amount !== 0n && !isOfDay && !world.wasReorganised()) faults.push(`counter ${name} stands at ${amount}`);
  }
  const identities = await read.select().from(tables.identities);
  for (const { stableId } of identities)
    if (!/^\d+$/.test(stableId)) faults.push(`identity ${stableId} was never resolved`);
  return faults;
}
