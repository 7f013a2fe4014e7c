import { afterEach, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { tipsFromWallet } from '../../../db/tips/history.ts';
import { readStatement } from '../../../db/tips/statement.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, type Claimants } from '../claims/claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const WALLET = 'x:1';

let books: Books;
let people: Claimants;

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
  });
  afterEach(() => books.close());

  test('shows what arrived at this person’s own addresses, and nothing of anyone else or on its way', async () => {
    const address = newAddress();
    const links = [{ network: 'base', address, source: 'keep' }] as const;
    const holder = { holderId: 'chat:1', walletId: WALLET, name: 'x:alice' };
    const paid = await books.pay({ payees: [{ ...ALICE, amount: 3_200_000n }] });
    await books.pay({ payees: [{ name: 'bob', stableId: '2' }] });
    await people.collect({ name: 'bob', stableId: '2' }, newAddress());
    await people.confirm({ ...(await people.ready(ALICE, { keep: true })), links, holder });
    const identityId = await books.meet('alice', '1');
    const read = () => {
      const addresses = [{ network: 'base' as const, address }];
      const of = { walletId: WALLET, identityId, addresses, receiptUrl: (slug: string) => `/receipts/${slug}` };
      return readStatement(books.store, of, 10);
    };
    expect(await read()).toEqual([]);
    await people.landAll();
    const [line] = paid.lines;
    expect(await read()).toMatchObject([
      {
        kind: 'received',
        amount: microUsdc(3_200_000n),
        // Its payer is no bot of ours, so no name of theirs is repeated.
        other: null,
        txnId: line?.txnId,
        receipt: `/receipts/${line?.slug}`,
        transaction: null,
      },
    ]);
  });

  test('pay links that others have paid take no place from what the wallet paid itself', async () => {
    const { store, clock } = books;
    const place = { transport: 'telegram', chatId: '1', messageId: 'm', userId: 'telegram:1' } as const;
    const paying = { walletId: WALLET, network: 'base', payerAddress: `0x${'99'.repeat(20)}` } as const;
    const wanted = { route: '/payments/x/pay', body: {}, recipient: 'x:alice', amountMicroUsdc: 1n } as const;
    const answered = { status: 'answered', receipt: '/receipts/1' } as const;
    const rows = ['signed', null, null].map((header, index) => {
      const own = { id: `order-${index}`, eventId: `event-${index}`, txnId: index + 1 };
      return { ...place, ...paying, ...wanted, ...answered, ...own, header, createdAtMs: clock.nowMs + index };
    });
    await store.tx((db) => db.insert(store.tables.orders).values(rows));
    expect((await tipsFromWallet(store, WALLET, 2)).map(({ txnId }) => txnId)).toEqual([1]);
  });
});
