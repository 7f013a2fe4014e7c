import { describe, expect, test } from 'vitest';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import {
  transferNonce,
  transfersOf,
  type UsdcChange,
  type UsdcTransaction,
} from '../../../../chain/solana/messages/transfers.ts';

const profile = solanaProfile('local');
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** Ours; `aside` is a second account of the same wallet. */
const OWN = [
  { account: 'treasury-usdc', owner: 'treasury' },
  { account: 'aside-usdc', owner: 'treasury' },
  { account: 'task-usdc', owner: 'task' },
];

function amountBytes(tag: number, amount: bigint): Uint8Array {
  const data = Buffer.alloc(10, 6);
  data.writeUInt8(tag, 0);
  data.writeBigUInt64LE(amount, 1);
  return new Uint8Array(data);
}

type InstructionShape = UsdcTransaction['instructions'][number];

function checked(from: string, to: string, amount: bigint, authority = from.replace('-usdc', '')): InstructionShape {
  return { program: TOKEN, accounts: [from, profile.usdc, to, authority], data: amountBytes(12, amount) };
}

function unchecked(from: string, to: string, amount: bigint): InstructionShape {
  return { program: TOKEN, accounts: [from, to, from.replace('-usdc', '')], data: amountBytes(3, amount).slice(0, 9) };
}

/** The account named after its owner went from one balance to another. */
function change(account: string, before: bigint, after: bigint): UsdcChange {
  const owner = account.replace('-usdc', '').replace('aside', 'treasury');
  return { account, ownerBefore: owner, ownerAfter: owner, before, after };
}

function landed(instructions: InstructionShape[], changes: UsdcChange[], failed = false): UsdcTransaction {
  return { signature: 'S', slot: 7, failed, messageHash: 'h', instructions, changes };
}

const read = (transaction: UsdcTransaction) => transfersOf(transaction, OWN, profile);
const place = (position: number) => ({
  transaction: 'S',
  block: 7,
  blockHash: '',
  logIndex: position,
  position,
});

test('the first transfer of a message is named by the message, the others by their place too', () => {
  expect([0, 1, 16].map((index) => transferNonce('h', index))).toEqual(['h', 'h:1', 'h:16']);
});

describe('transfers that the message itself orders are proven by who signed them', () => {
  test('one to an account that was given to us meanwhile leaves us all the same', () => {
    const given = { ...change('alice-usdc', 0n, 5n), ownerAfter: 'treasury' };
    const transaction = landed([checked('treasury-usdc', 'alice-usdc', 5n)], [change('treasury-usdc', 9n, 4n), given]);
    expect(read(transaction)).toMatchObject([{ from: 'treasury', value: 5n, authorizer: 'treasury', nonce: 'h' }]);
  });

  test('one to us', () => {
    const transaction = landed(
      [checked('alice-usdc', 'treasury-usdc', 5n)],
      [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)],
    );
    expect(read(transaction)).toEqual([
      { ...place(0), from: 'alice', to: 'treasury', value: 5n, authorizer: 'alice', nonce: 'h' },
    ]);
  });

  test('one of the unchecked kind, as older wallets make it', () => {
    const changes = [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)];
    expect(read(landed([unchecked('alice-usdc', 'treasury-usdc', 5n)], changes))).toMatchObject([
      { from: 'alice', authorizer: 'alice', nonce: 'h' },
    ]);
  });

  test('one by a delegate of the owner', () => {
    const transaction = landed(
      [checked('alice-usdc', 'treasury-usdc', 5n, 'helper')],
      [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)],
    );
    expect(read(transaction)).toMatchObject([{ from: 'alice', authorizer: 'helper' }]);
  });

  test('several from us, each under its place among those that touch our accounts', () => {
    const transaction = landed(
      [
        checked('carol-usdc', 'dave-usdc', 100n),
        checked('treasury-usdc', 'alice-usdc', 1n),
        checked('treasury-usdc', 'bob-usdc', 2n),
      ],
      [change('treasury-usdc', 10n, 7n), change('alice-usdc', 0n, 1n), change('bob-usdc', 0n, 2n)],
    );
    expect(read(transaction)).toEqual([
      { ...place(0), from: 'treasury', to: 'alice', value: 1n, authorizer: 'treasury', nonce: 'h' },
      { ...place(1), from: 'treasury', to: 'bob', value: 2n, authorizer: 'treasury', nonce: 'h:1' },
    ]);
  });

  test('nothing of value takes a place, and is not reported', () => {
    const transaction = landed(
      [checked('treasury-usdc', 'alice-usdc', 0n), checked('treasury-usdc', 'alice-usdc', 3n)],
      [change('treasury-usdc', 3n, 0n), change('alice-usdc', 0n, 3n)],
    );
    expect(read(transaction)).toMatchObject([{ value: 3n, nonce: 'h:1', position: 1 }]);
  });

  test('in and out again are two transfers', () => {
    const transaction = landed(
      [checked('alice-usdc', 'treasury-usdc', 5n), checked('treasury-usdc', 'bob-usdc', 5n)],
      [change('treasury-usdc', 8n, 8n), change('alice-usdc', 5n, 0n), change('bob-usdc', 0n, 5n)],
    );
    expect(read(transaction).map(({ value, to }) => [value, to])).toEqual([
      [5n, 'treasury'],
      [5n, 'bob'],
    ]);
  });

  test('the owner is who it was when the money left, and who it was when the money arrived', () => {
    const sold = { account: 'x', ownerBefore: 'seller', ownerAfter: 'buyer' };
    expect(
      read(
        landed(
          [checked('x', 'treasury-usdc', 1n)],
          [{ ...sold, before: 1n, after: 0n }, change('treasury-usdc', 0n, 1n)],
        ),
      ),
    ).toMatchObject([{ from: 'seller' }]);
    expect(
      read(
        landed(
          [checked('treasury-usdc', 'x', 1n)],
          [{ ...sold, before: 0n, after: 1n }, change('treasury-usdc', 1n, 0n)],
        ),
      ),
    ).toMatchObject([{ to: 'buyer' }]);
  });

  test('an account that was opened and closed on the way has no owner that anybody knows', () => {
    const transaction = landed([checked('gone', 'treasury-usdc', 1n, 'alice')], [change('treasury-usdc', 0n, 1n)]);
    expect(read(transaction)).toMatchObject([{ from: '', authorizer: 'alice' }]);
  });
});

describe('anything else is the net change of each of our wallets, proven by nobody', () => {
  test('money that a program moved to us', () => {
    const program = { program: 'swap', accounts: ['alice-usdc', 'treasury-usdc'], data: new Uint8Array([1]) };
    const transaction = landed([program], [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)]);
    expect(read(transaction)).toEqual([{ ...place(0), from: 'alice', to: 'treasury', value: 5n }]);
  });

  test.each<[string, InstructionShape[], UsdcChange[]]>([
    [
      'more than the message orders',
      [checked('alice-usdc', 'treasury-usdc', 4n)],
      [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)],
    ],
    [
      'a transfer that another instruction took back in part',
      [checked('alice-usdc', 'treasury-usdc', 6n)],
      [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)],
    ],
    [
      'an order by a program that is not the token program',
      [{ ...checked('alice-usdc', 'treasury-usdc', 5n), program: 'fake' }],
      [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)],
    ],
    [
      'an order of another mint',
      [{ ...checked('alice-usdc', 'treasury-usdc', 5n), accounts: ['alice-usdc', 'mint', 'treasury-usdc', 'alice'] }],
      [change('alice-usdc', 9n, 4n), change('treasury-usdc', 0n, 5n)],
    ],
  ])('%s', (_name, instructions, changes) => {
    const [transfer, ...others] = read(landed(instructions, changes));
    expect(others).toEqual([]);
    expect(transfer).toEqual({ ...place(0), from: 'alice', to: 'treasury', value: 5n });
  });

  test('money that came from several owners came from nobody in particular', () => {
    const changes = [change('alice-usdc', 9n, 4n), change('bob-usdc', 1n, 0n), change('treasury-usdc', 0n, 6n)];
    expect(read(landed([], changes))).toMatchObject([{ from: '', value: 6n }]);
  });

  test('money out of nothing came from nobody: it was minted', () => {
    expect(read(landed([], [change('treasury-usdc', 0n, 6n)]))).toMatchObject([
      { from: '', to: 'treasury', value: 6n },
    ]);
  });

  test('money that left us into nothing was burned', () => {
    expect(read(landed([], [change('treasury-usdc', 6n, 0n)]))).toMatchObject([
      { from: 'treasury', to: '', value: 6n },
    ]);
  });

  test('each of our wallets has its own, in the order of the transaction', () => {
    const changes = [change('task-usdc', 0n, 2n), change('alice-usdc', 0n, 3n), change('treasury-usdc', 5n, 0n)];
    expect(read(landed([], changes))).toEqual([
      { ...place(0), from: '', to: 'task', value: 2n },
      { ...place(1), from: 'treasury', to: 'alice', value: 5n },
    ]);
  });
});

describe('nothing is reported', () => {
  test.each<[string, UsdcTransaction]>([
    [
      'of a transaction that failed, whatever else is said about it',
      landed([checked('alice-usdc', 'treasury-usdc', 5n)], [change('treasury-usdc', 0n, 5n)], true),
    ],
    [
      'of money of others',
      landed([checked('alice-usdc', 'bob-usdc', 5n)], [change('alice-usdc', 5n, 0n), change('bob-usdc', 0n, 5n)]),
    ],
    [
      'of a transfer from an account to itself',
      landed([checked('treasury-usdc', 'treasury-usdc', 5n)], [change('treasury-usdc', 9n, 9n)]),
    ],
    [
      'of a transfer between two accounts of one wallet',
      landed(
        [checked('treasury-usdc', 'aside-usdc', 5n)],
        [change('treasury-usdc', 9n, 4n), change('aside-usdc', 0n, 5n)],
      ),
    ],
    ['of the same by a program', landed([], [change('treasury-usdc', 9n, 4n), change('aside-usdc', 0n, 5n)])],
    ['of a transaction without any USDC', landed([], [])],
  ])('%s', (_name, transaction) => {
    expect(read(transaction)).toEqual([]);
  });

  test('but what goes from one of our wallets to another is: their books differ', () => {
    const transaction = landed(
      [checked('treasury-usdc', 'task-usdc', 5n)],
      [change('treasury-usdc', 9n, 4n), change('task-usdc', 0n, 5n)],
    );
    expect(read(transaction)).toMatchObject([{ from: 'treasury', to: 'task', value: 5n, authorizer: 'treasury' }]);
  });
});
