/** Many at once on Solana: nobody is held up by a crowd, and a daily number is spent on accounts, not on payouts. */
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { freshHandle, freshOrder, link, pay, payAlready, payBatch, present, USDC } from './orders.ts';
import { PROFILE } from './solana-proofs.ts';
import { giveAway, proveFrom, tokenBalance } from './solana-token-accounts.ts';
import { openSolana, type SolanaPayer, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';

/** Of each payer in the crowd. One is on its way and the others wait: more in all than are looked at in one round. */
const PROOFS = 18;

// Two accounts a day, and the first test opens both.
describe('a crowd on Solana', () => {
  const suite = createSuite<SolanaService, SolanaWorld>('solana', async () => {
    const opened = await openSolana();
    return { ...opened, install: () => opened.install({ policy: 'always', dailyMax: 2 }) };
  });
  const { network } = suite;

  async function newcomer(service: SolanaService) {
    const [receiver, address] = [freshHandle('crowd'), Keypair.generate().publicKey.toBase58()];
    await link(service, network, receiver, address);
    return { receiver, address };
  }

  async function statusesTo({ store: { read, tables } }: SolanaService, ...addresses: string[]): Promise<string[]> {
    const rows = await read.select().from(tables.transfers);
    return rows.filter(({ toAddress }) => addresses.includes(toAddress)).map(({ status }) => status);
  }

  test('of tips to one newcomer opens one account and counts one', async () => {
    const service = suite.service();
    const [one, other] = [await newcomer(service), await newcomer(service)];
    const payer = await suite.world().createPayer(3n * USDC);
    const tips = Array.from({ length: 8 }, () => ({ receiver: one.receiver, amount: 0.1 }));
    await payBatch(service, payer, tips);
    await suite.untilNothingMoves(service);
    expect(await suite.world().usdcBalance(one.address)).toBe(800_000n);
    await payAlready(service, payer, { receiver: other.receiver, amount: 1 });
    await suite.comeToRest(service);
    const statuses = await statusesTo(service, one.address, other.address);
    expect(statuses).toEqual(Array.from({ length: 9 }, () => 'final'));
  });

  test('of proofs that wait for each other does not keep a payer with money from being served', async () => {
    // Nobody waits for an answer: what is asked for is in the books.
    const service = await suite.start({ settlementWaitMs: 300 });
    const { chain, createPayer } = suite.world();
    const crowd = await Promise.all(Array.from({ length: 6 }, () => createPayer(USDC)));
    const honest = await createPayer(USDC);
    await suite.world().holdBlocks();
    const open: Promise<unknown>[] = [];
    const crowdIn = async (payer: SolanaPayer) => {
      const from = { source: tokenAccountOf(payer.address, PROFILE), microUsdc: USDC };
      for (let index = 0; index < PROOFS; index += 1) {
        const header = await proveFrom(chain, payer, service, from);
        open.push(present(service, header, freshOrder(1)));
      }
    };
    await Promise.all(crowd.map(crowdIn));
    const { carriers, payments } = service.store.tables;
    await eventually(async () => {
      expect(await service.store.read.$count(payments)).toBe(crowd.length * PROOFS);
    }, 30_000);
    open.push(pay(service, honest, freshOrder(1)));
    await eventually(async () => {
      const rows = await service.store.read.select().from(payments);
      const mine = rows.find((payment) => payment.payer === honest.address);
      expect(mine?.carrierId ?? null).not.toBe(null);
      expect(await service.store.read.$count(carriers)).toBe(crowd.length + 1);
    }, 30_000);
    await suite.world().releaseBlocks();
    await Promise.all(open);
  });

  test('cannot be stopped by a recipient who gives the account away while the payout is on its way', async () => {
    const { chain, createPayer } = suite.world();
    const service = suite.service();
    const payer = await createPayer(USDC);
    const recipient = await createPayer(1n);
    const account = tokenAccountOf(recipient.address, PROFILE);
    const order = freshOrder(1);
    await link(service, network, order.receiver, recipient.address);
    await chain.setFault({ kind: 'hold' });
    const paying = pay(service, payer, order);
    await eventually(async () => expect((await chain.waiting()).held).toBe(1));
    await chain.release();
    expect((await paying).status).toBe(200);
    await eventually(async () => expect((await chain.waiting()).held).toBe(1));
    await chain.clearFaults();
    await giveAway(chain, recipient, account, service.treasury);
    await chain.release();
    await suite.comeToRest(service);
    expect(await tokenBalance(chain, account)).toBe(USDC + 1n);
    expect(await statusesTo(service, recipient.address)).toEqual(['final']);
  });
});
