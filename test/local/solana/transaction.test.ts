/** Reading transactions strictly: the virtual machine ends the process on bytes that it cannot read. */
import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  AddressLookupTableAccount,
  type Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from '../../../local/solana/wire/error-names.ts';
import { decodeTransaction } from '../../../local/solana/wire/transaction.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { memo, randomAddress } from './transfers.ts';

let chain: SolanaChain;
let alice: Keypair;
let bob: PublicKey;
/** One of each version, which land. */
let wires: { legacy: Uint8Array; v0: Uint8Array; v1: Uint8Array };

beforeAll(async () => {
  chain = await startSolanaChain();
  alice = await chain.createKeypair({ lamports: 1_000_000_000n });
  bob = randomAddress();
  const { blockhash } = await chain.connection().getLatestBlockhash();
  const transfer = SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 2_000_000 });
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: blockhash,
    instructions: [transfer, memo('x')],
  });
  const v0 = new VersionedTransaction(message.compileToV0Message());
  const legacy = new VersionedTransaction(message.compileToLegacyMessage());
  v0.sign([alice]);
  legacy.sign([alice]);
  wires = { legacy: legacy.serialize(), v0: v0.serialize(), v1: toVersion1(blockhash) };
});
afterAll(() => chain?.close());

/** By hand, since no client writes them yet: a transfer of 2,000,000 lamports with a priority fee of 7. */
function toVersion1(blockhash: string): Uint8Array {
  const limits = Buffer.alloc(16);
  limits.writeBigUInt64LE(7n, 0);
  limits.writeUInt32LE(20_000, 8);
  limits.writeUInt32LE(1 << 20, 12);
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(2_000_000n, 4);
  const message = Buffer.concat([
    Buffer.from([0x81, 1, 0, 1, 0b1111, 0, 0, 0]),
    new PublicKey(blockhash).toBuffer(),
    Buffer.from([1, 3]),
    ...[alice.publicKey, bob, SystemProgram.programId].map((key) => key.toBuffer()),
    limits,
    Buffer.from([2, 2, 12, 0, 0, 1]),
    data,
  ]);
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([prefix, alice.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
  return Buffer.concat([message, sign(null, message, key)]);
}

const send = (wire: Uint8Array) =>
  chain.rpc('sendTransaction', Buffer.from(wire).toString('base64'), { encoding: 'base64', skipPreflight: true });

describe('a good transaction', () => {
  test.each(['legacy', 'v0'] as const)('of version %s reads as web3.js reads it', (version) => {
    const { message, signatures } = decodeTransaction(wires[version]);
    const theirs = VersionedTransaction.deserialize(wires[version]);
    expect(message.version).toBe(theirs.version);
    expect(message.accounts).toEqual(theirs.message.staticAccountKeys.map(String));
    expect(message.recentBlockhash).toBe(theirs.message.recentBlockhash);
    expect(message.instructions.map(({ data }) => Buffer.from(data))).toEqual(
      theirs.message.compiledInstructions.map(({ data }) => Buffer.from(data)),
    );
    expect(signatures).toHaveLength(1);
  });

  test('of version 1 lands, and is read by those who can read it', async () => {
    const before = await chain.lamports(bob);
    const signature = (await send(wires.v1)) as string;
    expect((await chain.lamports(bob)) - before).toBe(2_000_000n);
    chain.finalize();
    const connection = chain.connection();
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 });
    expect(found).toMatchObject({ version: 1, meta: { fee: 5_007, err: null } });
    expect(found?.transaction.message).toMatchObject({
      transactionConfig: { priorityFee: 7, computeUnitLimit: 20_000 },
    });
    await expect(chain.rpc('getTransaction', signature, { maxSupportedTransactionVersion: 0 })).rejects.toThrow(
      'Transaction version (1) is not supported',
    );
  });
});

describe('bytes are refused', () => {
  /** Where things stand in `legacy`: 1 + 64 bytes of signatures, then three of header, then the accounts. */
  const HEADER = 65;
  test.each<[string, () => Uint8Array, string]>([
    ['that end too early', () => wires.v0.subarray(0, -1), 'end too early'],
    ['that go on', () => Buffer.concat([wires.v0, Buffer.from([0])]), '1 bytes follow'],
    [
      'with a signature too many',
      () => Buffer.concat([Buffer.from([2]), Buffer.alloc(64), wires.v0.subarray(1)]),
      'asks for 1',
    ],
    ['with no signature', () => Buffer.concat([Buffer.from([0]), wires.v0.subarray(65)]), 'asks for 1'],
    [
      'with a length that is not in its shortest form',
      () => Buffer.concat([Buffer.from([0x81, 0]), wires.legacy.subarray(1)]),
      '',
    ],
    ['whose payer does not sign', () => replace(wires.legacy, HEADER, 0), 'asks for 0|must sign'],
    ['whose payer is only read', () => replace(wires.legacy, HEADER + 1, 1), 'must sign and pay'],
    [
      'whose header names too many accounts',
      () => replace(wires.legacy, HEADER + 2, 200),
      'more accounts than there are',
    ],
    ['of version 2', () => replace(wires.v0, HEADER, 0x82), 'version 2'],
    ['of version 1 with half a fee', () => replace(wires.v1, 4, 0b1101), ''],
    ['of version 1 with unknown limits', () => replace(wires.v1, 7, 0x80), 'not known'],
    ['of version 1 that go on', () => Buffer.concat([wires.v1, Buffer.from([0])]), 'fill the rest'],
  ])('%s', (_title, bytes, reason) => {
    expect(() => decodeTransaction(bytes())).toThrow(new RegExp(reason));
  });

  test('whose lookup table is named and not used', () => {
    const state = { deactivationSlot: 0n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [bob] };
    const table = new AddressLookupTableAccount({ key: randomAddress(), state });
    const message = new TransactionMessage({
      payerKey: alice.publicKey,
      recentBlockhash: PublicKey.default.toBase58(),
      instructions: [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1 })],
    }).compileToV0Message([table]);
    message.addressTableLookups[0]!.writableIndexes = [];
    const wire = new VersionedTransaction(message).serialize();
    expect(() => decodeTransaction(wire)).toThrow('named and not used');
  });

  function replace(bytes: Uint8Array, index: number, byte: number): Uint8Array {
    const copy = Uint8Array.from(bytes);
    copy[index] = byte;
    return copy;
  }
});

test('bytes with random damage are refused or run, and the chain lives on', async () => {
  const random = createRandom(7);
  let decoded = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const wire = Uint8Array.from(Object.values(wires)[round % 3]!);
    for (let hit = 0; hit <= round % 3; hit += 1) wire[Math.floor(random() * wire.length)] = Math.floor(random() * 256);
    try {
      chain.chain.land(decodeTransaction(wire));
      decoded += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }
  expect(decoded).toBeGreaterThan(500);
  expect(await chain.rpc('getHealth')).toBe('ok');
});

test('the names of errors are those of the installed LiteSVM', async () => {
  const types = await readFile(
    createRequire(import.meta.url)
      .resolve('litesvm/dist/internal.js')
      .replace(/js$/, 'd.ts'),
    'utf8',
  );
  const namesOf = (table: string) => {
    const [, body = ''] = new RegExp(`enum ${table} \\{([^}]*)\\}`).exec(types) ?? [];
    return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, name, number]) => [Number(number), name]);
  };
  expect(namesOf('TransactionErrorFieldless')).toEqual([...TRANSACTION_ERRORS.entries()]);
  expect(namesOf('InstructionErrorFieldless')).toEqual([...INSTRUCTION_ERRORS.entries()]);
});

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
