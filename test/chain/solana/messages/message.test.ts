import { createHash } from 'node:crypto';
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { decodeTransaction, hashMessage } from '../../../../chain/solana/messages/message.ts';
import { memo, usdcTransfer } from '../../../local/solana/transfers.ts';
import { toVersion1 } from '../version-1.ts';

const [alice, bob] = [Keypair.generate(), Keypair.generate()];
const blockhash = Keypair.generate().publicKey.toBase58();
const transfer = usdcTransfer(alice.publicKey, bob.publicKey, 5n);
/** More than 127 bytes, so that its length takes two. */
const long = memo('m'.repeat(300));
const message = new TransactionMessage({
  payerKey: bob.publicKey,
  recentBlockhash: blockhash,
  instructions: [transfer, long],
});

function sign(compiled: ReturnType<typeof message.compileToV0Message | typeof message.compileToLegacyMessage>) {
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([bob, alice]);
  return transaction;
}

const legacy = sign(message.compileToLegacyMessage());
const v0 = sign(message.compileToV0Message());
const state = { deactivationSlot: 0n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [bob.publicKey] };
const table = new AddressLookupTableAccount({ key: Keypair.generate().publicKey, state });
const gift = SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports: 1 });
const withTable = new VersionedTransaction(
  new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: blockhash,
    instructions: [gift],
  }).compileToV0Message([table]),
);

describe.each([
  ['of the legacy version', legacy],
  ['of version 0', v0],
  ['of version 0 with a lookup table', withTable],
])('a transaction %s', (_name, transaction) => {
  const decoded = decodeTransaction(transaction.serialize());

  test('reads as web3.js reads it', () => {
    const theirs = transaction.message;
    expect(decoded.message).toMatchObject({
      version: theirs.version,
      signers: theirs.header.numRequiredSignatures,
      accounts: theirs.staticAccountKeys.map(String),
      usesTables: theirs.addressTableLookups.length > 0,
    });
    expect(decoded.message.instructions).toEqual(
      theirs.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
        program: programIdIndex,
        accounts: [...accountKeyIndexes],
        data: new Uint8Array(data),
      })),
    );
    expect(decoded.signatures).toEqual(transaction.signatures.map((signature) => new Uint8Array(signature)));
  });

  test('is named by the hash of what was signed', () => {
    const signed = new Uint8Array(transaction.message.serialize());
    expect(decoded.messageBytes).toEqual(signed);
    expect(hashMessage(decoded.messageBytes)).toBe(createHash('sha256').update(signed).digest('hex'));
  });
});

test('a transaction of version 1 is read too', () => {
  const wire = toVersion1(alice, blockhash, [transfer, memo('hello')]);
  const { message: read, signatures, messageBytes } = decodeTransaction(wire);
  expect(read).toMatchObject({ version: 1, signers: 1, usesTables: false });
  const [first, second] = read.instructions;
  expect(first?.accounts.map((index) => read.accounts[index])).toEqual(
    transfer.keys.map(({ pubkey }) => pubkey.toBase58()),
  );
  expect(first?.data).toEqual(new Uint8Array(transfer.data));
  expect(read.accounts[second?.program ?? -1]).toBe(memo('').programId.toBase58());
  expect(Buffer.from(second?.data ?? []).toString()).toBe('hello');
  expect(signatures.map(toBase58)).toHaveLength(1);
  expect(messageBytes).toHaveLength(wire.length - 64);
});

test('what is read does not change with the bytes that it was read from', () => {
  const wire = Buffer.from(v0.serialize());
  const { messageBytes } = decodeTransaction(wire);
  wire.fill(0);
  expect(messageBytes).toEqual(v0.message.serialize());
});

describe('bytes are refused', () => {
  const wire = () => Buffer.from(v0.serialize());
  const header = 1 + 2 * 64;
  test.each<[string, () => Uint8Array]>([
    ['that are none', () => new Uint8Array()],
    ['that end too early', () => wire().subarray(0, -1)],
    ['that go on', () => Buffer.concat([wire(), Buffer.from([0])])],
    ['with a signature too many', () => Buffer.concat([Buffer.from([3]), Buffer.alloc(64), wire().subarray(1)])],
    ['with a count in two bytes for one', () => Buffer.concat([Buffer.from([0x82, 0]), wire().subarray(1)])],
    ['with a count beyond 16 bits', () => Buffer.concat([Buffer.from([0xff, 0xff, 4]), wire().subarray(1)])],
    ['with a count of three bytes for two', () => Buffer.concat([Buffer.from([0x82, 0x80, 0]), wire().subarray(1)])],
    ['that nobody signs', () => Buffer.concat([Buffer.from([0]), wire().subarray(header).fill(0, 1, 2)])],
    ['of version 2', () => wire().fill(0x82, header, header + 1)],
    ['of version 1 that go on', () => Buffer.concat([toVersion1(alice, blockhash, [transfer]), Buffer.from([0])])],
  ])('%s', (_name, bytes) => {
    expect(() => decodeTransaction(bytes())).toThrow(Error);
  });

  test('wherever a transaction is cut', () => {
    for (let length = 0; length < wire().length; length += 1) {
      expect(() => decodeTransaction(wire().subarray(0, length))).toThrow(Error);
    }
  });
});

test('a transaction of 200 instructions is read whole', () => {
  const many = Array.from(
    { length: 200 },
    () => new TransactionInstruction({ programId: PublicKey.default, keys: [] }),
  );
  const parts = { payerKey: bob.publicKey, recentBlockhash: blockhash, instructions: many };
  const transaction = new VersionedTransaction(new TransactionMessage(parts).compileToV0Message());
  expect(decodeTransaction(transaction.serialize()).message.instructions).toHaveLength(200);
});
