import { setTimeout } from 'node:timers/promises';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { markInbounds } from '../../../db/operator/lost-inbounds.ts';
import { openOutflows } from '../../../db/operator/lost-outflows.ts';
import { reconcile, type Reconciling, type ReconcileResult } from '../../../db/operator/reconcile.ts';
import { returnByOperator, unexplainedTransfers } from '../../../db/operator/suspense.ts';
import { signingStops } from '../../../db/store/stops.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { findLock, lockSpending } from '../../../db/wallets/spending-locks.ts';
import { callOff } from '../../../db/withdrawals/cancel.ts';
import { findWithdrawal } from '../../../db/withdrawals/find.ts';
import { requestWithdrawal } from '../../../db/withdrawals/request.ts';
import { ADDRESS_WAIT_MS } from '../../../core/wallets/withdrawal-wait.ts';
import { microUsdc } from '../../../core/money.ts';
import { addHits, type Hits } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import { findFaults } from './verdict.ts';
import { reconcileInProcess } from './operator-process.ts';
import type { Restored } from './side.ts';
import type { Wish, World } from './world.ts';

const SIDE_BY_SIDE = 6;
const WITHIN_MS = 120_000;
const WALLET = 'x:7';
const WITHDRAWAL = 'ab'.repeat(16);
/** What must be in the operator's list, and nothing else. */
const PLANTED = ['partly', 'gathered'];
/** The treasury has more than the lost time moves. */
const RICH = 400_000_000n;
/** Too little to go back alone. */
const SMALL = 30_000n;

/** A database of its own kind, its backup, and that backup put in its place. */
export type Databases = { first: DatabaseAddress; backUp: () => Promise<DatabaseAddress> };

/** How it is reconciled: by the operator's own command where `byCommand`; the others are for controls. */
export type Rules = { byCommand?: boolean; areAllKnown?: boolean } & Partial<
  Pick<Reconciling, 'transferIdOf' | 'mark'>
>;

/** One restore under load. Answers what was wrong, and which of the hard cases happened. */
export async function restoreOnce(world: World, databases: Databases, count: number, rules: Rules = {}) {
  let hits: Hits = {};
  const hit = (name: string) => (hits = addHits(hits, { [name]: 1 }));
  const old = await world.start(databases.first);
  const before = await payBefore(world, old);
  await plantSafety(world, old);
  // The backup is made while payments go on.
  const load = payMany(world, old, 'linked', SIDE_BY_SIDE);
  const backup = await databases.backUp();
  await load;
  await loseTime(world, old, before, { count, hit });
  const restored = await world.start(backup);
  if ((await signingStops(restored.store)).some(({ reason }) => reason === 'database_restored')) hit('restored');
  await twoPrimaries(world, { old, restored, hit });
  await atRest(old);
  await world.stop(old);
  // Read to the end first: what is seen later looks as if another installation had signed it lately.
  await world.pass(1, restored);
  await world.pass(world.side.laterSeconds, restored);
  const problem = await onceRead(async () =>
    rules.byCommand ? await reconcileInProcess(world, backup) : describe(await reconcileAll(world, restored, rules)),
  );
  if (problem !== null) return { faults: [`reconcile ended as ${problem}`], hits };
  if (rules.byCommand) hit('by command');
  await returnPartly(world, restored);
  const lost = await afterwards(world, restored, hit);
  return { faults: [...(await findFaults(world, restored, PLANTED)), ...lost], hits };
}

/** What is final is asked less often than what is new, and the operator is told to come back until both are read. */
async function onceRead(ask: () => Promise<string | null>): Promise<string | null> {
  const endsAtMs = Date.now() + 60_000;
  for (;;) {
    const problem = await ask();
    const waits = problem !== null && /"kind":"waits"|once it is read up to/.test(problem);
    if (!waits || Date.now() > endsAtMs) return problem;
    await setTimeout(500);
  }
}

/** Null where it is done and signing goes on. */
function describe(result: ReconcileResult): string | null {
  if (result.kind === 'done' && result.stillStopped.length === 0) return null;
  return JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** The operator tries to give back whole what was paid out in part. It must be refused. */
async function returnPartly({ wishes, now }: World, { store }: Restored): Promise<void> {
  const partly = wishes.find(({ kind }) => kind === 'partly')?.payer.address;
  for (const { transfer } of await unexplainedTransfers(store, 1_000))
    if (transfer.fromAddress === partly)
      await returnByOperator(store, transfer.fact, { name: 'return', arguments: [], who: 'a test' }, now());
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
}

/** The first `linked` recipients of each wish have given an address before it is paid. */
async function payMany(world: World, service: Restored, kind: string, count: number, linked = 1): Promise<void> {
  await inTurns([...Array(count).keys()], async () => {
    const wish = await world.wish(kind);
    for (const part of wish.parts.slice(0, linked)) await world.link(part, service);
    await world.present(wish, service);
  });
}

type Before = { late: Wish; refunded: Wish };

async function payBefore(world: World, service: Restored): Promise<Before> {
  await payMany(world, service, 'linked', 2);
  await payMany(world, service, 'never', 1, 0);
  await world.present(await world.wish('never', { amounts: [RICH] }), service);
  const late = await world.wish('late');
  const refunded = await world.wish('refunded');
  for (const wish of [late, refunded]) await world.present(wish, service);
  return { late, refunded };
}

/** What people decide in the lost time must be theirs to decide again. */
async function plantSafety({ side }: World, { store }: Restored): Promise<void> {
  const place = { network: side.network, fromAddress: side.newWallet(), toAddress: side.newWallet() };
  const asked = { holderId: 'chat:1', requestKey: '1', walletId: WALLET, amountMicroUsdc: microUsdc(20_000_000n) };
  await requestWithdrawal(store, { id: WITHDRAWAL, ...asked, ...place, nowMs: Date.now() });
  const holder = { holderId: 'chat:1', walletId: WALLET, identityId: 'id', name: 'x:alice' };
  await store.tx((db) => addHolder(db, store.tables, holder, Date.now()));
}

type Losing = { count: number; hit: (name: string) => void };

async function loseTime(world: World, old: Restored, { late, refunded }: Before, { count, hit }: Losing) {
  const linkAll = async (wish: Wish) => {
    for (const part of wish.parts) await world.link(part, old);
  };
  await linkAll(late);
  await giveBack(refunded, old);
  await payMany(world, old, 'linked', Math.ceil(count / 2));
  await payMany(world, old, 'never', Math.floor(count / 2), 0);
  if (count > 1) hit('equal amounts');
  const partly = await world.wish('partly', { amounts: [1_000_000n, 1_000_000n] });
  await linkLast(world, partly, old);
  await world.present(partly, old);
  hit('partly paid');
  await presentCopied(world, old, hit);
  const one = await world.wish('gathered', { amounts: [SMALL] });
  const other = await world.wish('gathered', { amounts: [SMALL], by: one.payer });
  for (const wish of [one, other]) await world.present(wish, old);
  for (const wish of [one, other]) await giveBack(wish, old);
  hit('gathered refund');
  const keyed = await world.wish('keyed', { key: `key-of-the-lost-time-${count}` });
  await linkAll(keyed);
  await world.present(keyed, old);
  const alias = await world.wish('alias');
  await linkAll(alias);
  await world.hangUp(alias, old);
  alias.header = await world.presentAnew(alias, old);
  if (alias.answers.at(-1)?.status === 200) hit('alias');
  if ((await callOff(old.store, { walletId: WALLET }, world.now())).ended.length === 1) hit('called off');
  await lockSpending(old.store, [WALLET], { lockedBy: 'chat:1', nowMs: world.now() });
  await atRest(old);
}

async function linkLast(world: World, { parts }: Wish, service: Restored): Promise<void> {
  for (const part of parts.slice(-1)) await world.link(part, service);
}

/** Nobody but us can send what is signed on Solana. */
async function presentCopied(world: World, old: Restored, hit: Losing['hit']): Promise<void> {
  if (world.side.copy === null) return;
  const copied = await world.wish('copied');
  await world.copy(copied);
  await scanned(copied, old);
  await world.present(copied, old);
  if (copied.answers.some(({ word }) => word === 'payment_returned')) hit('copied authorization');
}

async function scanned({ payer }: Wish, { store, worker }: Restored): Promise<void> {
  const { observedTransfers } = store.tables;
  await eventually(async () => {
    worker?.wake();
    const seen = await store.read.select().from(observedTransfers);
    if (!seen.some(({ fromAddress }) => fromAddress === payer.address)) throw new Error('not seen yet');
  }, WITHIN_MS);
}

async function giveBack({ answers }: Wish, { store, worker }: Restored): Promise<void> {
  const txnId = answers.at(-1)?.txnIds[0];
  if (txnId === undefined || (await refundLine(store, txnId, Date.now())) !== 'refunded')
    throw new Error(`line ${txnId} was not given back: ${JSON.stringify(answers)}`);
  worker?.wake();
}

/** The operator forgot to stop the old installation: it takes payments and pays them out beside the restored one. */
async function twoPrimaries(
  world: World,
  { old, restored, hit }: { old: Restored; restored: Restored; hit: Losing['hit'] },
) {
  await payMany(world, old, 'linked', 2);
  await payMany(world, old, 'never', 1, 0);
  hit('two primaries');
  const refused = await world.wish('refused');
  await world.present(refused, restored);
  if (refused.answers.at(-1)?.word !== 'service_paused') throw new Error('a restored database took a payment');
}

/** Everything that may leave has left. */
async function atRest({ store, worker }: Restored): Promise<void> {
  const { observedTransfers, refunds, transfers } = store.tables;
  await eventually(async () => {
    worker?.wake();
    const open = (await store.read.select().from(transfers)).filter(
      ({ status, purpose }) =>
        purpose !== 'wallet_withdrawal' && !['confirmed', 'final', 'held', 'void'].includes(status),
    );
    const owed = (await store.read.select().from(refunds)).filter(({ payoutId }) => payoutId === null);
    const returning = (await store.read.select().from(observedTransfers)).filter(
      ({ returnWanted, consumedBy }) => returnWanted && consumedBy === null,
    );
    const count = open.length + owed.length + returning.length;
    if (count > 0) throw new Error(`${open.length} open, ${owed.length} owed, ${returning.length} to return`);
  }, WITHIN_MS);
}

async function reconcileAll(world: World, { store }: Restored, rules: Rules): Promise<ReconcileResult> {
  const known = rules.areAllKnown ? (await openOutflows(store.read, store)).map(({ fact }) => fact) : [];
  const { transferIdOf = world.transferIdOf, mark = markInbounds } = rules;
  const command = { name: 'reconcile', arguments: [], who: 'a test' };
  let ids = 0;
  const newId = () => `move-${(ids += 1)}`;
  const naming = { namesOf: chainNamesOf, transferIdOf };
  return reconcile(store, known, { ...naming, mark, newId, command, nowMs: world.now() });
}

/** Signing goes on. Answers what is wrong with what the lost time decided. */
async function afterwards(world: World, service: Restored, hit: Losing['hit']): Promise<string[]> {
  const keyed = world.wishes.filter(({ kind }) => kind === 'keyed');
  const alias = world.wishes.filter(({ kind }) => kind === 'alias');
  // What could have been signed before is over by then.
  await world.pass(6 * 60, service);
  for (const wish of keyed) await world.presentAnew(wish, service);
  if (keyed.some(({ answers }) => answers.at(-1)?.word === 'settlement_pending')) hit('idempotency key');
  for (const wish of alias) await world.present(wish, service);
  await payMany(world, service, 'linked', 3);
  await atRest(service);
  const faults: string[] = [];
  const last = world.wishes.slice(-3);
  if (!last.every(({ answers }) => answers.at(-1)?.status === 200))
    faults.push(`signing does not go on: ${JSON.stringify(last.map(({ answers }) => answers))}`);
  const row = await findWithdrawal(service.store, WITHDRAWAL);
  if ((row?.notBeforeMs ?? 0) < world.now() + ADDRESS_WAIT_MS - 10 * 60_000)
    faults.push('a withdrawal waits no longer');
  const lock = await findLock(
    service.store.read,
    service.store.tables,
    { userId: 'chat:1', walletId: WALLET },
    world.now(),
  );
  if (lock === null) faults.push('a locked wallet is open');
  else hit('lock');
  return faults;
}
