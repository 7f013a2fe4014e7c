/** Many at once on Solana: nobody is held up by a crowd, and a daily number is spent on accounts, not on payouts. */
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { AccountPolicy } from '../../worker/dependencies.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { cancel, freshHandle, freshOrder, link, pay, payAlready, payBatch, present, USDC } from './orders.ts';
import { PROFILE } from './solana-proofs.ts';
import { giveAway, openSecondAccount, proveFrom, tokenBalance } from './solana-token-accounts.ts';
import { openSolana, type SolanaPayer, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';

describe('a crowd on Solana', () => {
  const suite = createSuite<SolanaService, SolanaWorld>('solana', () => openSolana());
  const { network } = suite;
  const start = (accounts: Partial<AccountPolicy>) => suite.track(suite.world().install(accounts).start());

  async function newcomers(service: SolanaService, count: number) {
    const people = Array.from({ length: count }, () => ({
      receiver: freshHandle('crowd'),
      address: Keypair.generate().publicKey.toBase58(),
    }));
    for (const { receiver, address } of people) await link(service, network, receiver, address);
    return people;
  }

  async function statuses({ store: { read, tables } }: SolanaService): Promise<string[]> {
    return (await read.select().from(tables.transfers)).map(({ status }) => status).toSorted();
  }

  test('of tips to one newcomer opens one account and counts one', async () => {
    const service = await start({ policy: 'always', dailyMax: 2 });
    const [one, other] = await newcomers(service, 2);
    const payer = await suite.world().createPayer(3n * USDC);
    const tips = Array.from({ length: 8 }, () => ({ receiver: one?.receiver ?? '', amount: 0.1 }));
    await payBatch(service, payer, tips);
    await suite.comeToRest(service);
    expect(await suite.world().usdcBalance(one?.address ?? '')).toBe(800_000n);
    await payAlready(service, payer, { receiver: other?.receiver ?? '', amount: 1 });
    await suite.comeToRest(service);
    expect(await statuses(service)).toEqual(Array.from({ length: 9 }, () => 'final'));
  });

  test('of proofs that wait for each other does not keep a payer with money from being served', async () => {
    const service = await start({});
    const crowd = await Promise.all(Array.from({ length: 6 }, () => suite.world().createPayer(USDC)));
    const honest = await suite.world().createPayer(USDC);
    await suite.world().holdBlocks();
    const open: Promise<unknown>[] = [];
    const crowdIn = async (payer: SolanaPayer) => {
      for (let count = 0; count < 17; count += 1) {
        const header = await payer.prove(service, { microUsdc: USDC });
        open.push(present(service, header, freshOrder(1)));
      }
    };
    await Promise.all(crowd.map(crowdIn));
    const { carriers, payments } = service.store.tables;
    await eventually(async () => {
      const rows = await service.store.read.select().from(payments);
      expect(rows.length).toBe(crowd.length * 17);
    }, 30_000);
    open.push(pay(service, honest, freshOrder(1)));
    await eventually(async () => {
      const rows = await service.store.read.select().from(payments);
      const mine = rows.find((payment) => payment.payer === honest.address);
      expect(mine?.carrierId ?? null).not.toBe(null);
      expect((await service.store.read.select().from(carriers)).length).toBe(crowd.length + 1);
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
    expect(await statuses(service)).toEqual(['final']);
  });

  test('of small refunds goes back to the accounts that each of them came from', async () => {
    const { chain, createPayer } = suite.world();
    const service = suite.service();
    const payer = await createPayer(2n * USDC);
    const first = tokenAccountOf(payer.address, PROFILE);
    const second = await openSecondAccount(chain, payer, USDC);
    for (const source of [first, second]) {
      const header = await proveFrom(chain, payer, service, { source, microUsdc: 60_000n });
      const reply = await present(service, header, freshOrder(0.06));
      expect(reply.status).toBe(200);
      expect((await cancel(service, payer, reply.body.data.txn_id)).status).toBe(200);
    }
    await suite.comeToRest(service);
    expect([await tokenBalance(chain, first), await tokenBalance(chain, second)]).toEqual([USDC, USDC]);
  });
});
