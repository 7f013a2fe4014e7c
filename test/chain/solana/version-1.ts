/** Transactions of version 1 (SIMD-0385), written by hand because no library of ours writes them. */
import { createPrivateKey, sign } from 'node:crypto';
import { type Keypair, PublicKey, type TransactionInstruction, TransactionMessage } from '@solana/web3.js';

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signed by one key, with a priority fee of 7 lamports, at most 40,000 units and a mebibyte of accounts. */
export function toVersion1(payer: Keypair, blockhash: string, instructions: TransactionInstruction[]): Buffer {
  const { header, staticAccountKeys, compiledInstructions } = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions,
  }).compileToV0Message();
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const limits = Buffer.alloc(16);
  limits.writeBigUInt64LE(7n, 0);
  limits.writeUInt32LE(40_000, 8);
  limits.writeUInt32LE(1 << 20, 12);
  const message = Buffer.concat([
    Buffer.from([0x81, numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts]),
    // Which limits are there; the fee has two bits.
    Buffer.from([0b1111, 0, 0, 0]),
    new PublicKey(blockhash).toBuffer(),
    Buffer.from([compiledInstructions.length, staticAccountKeys.length]),
    ...staticAccountKeys.map((key) => key.toBuffer()),
    limits,
    ...compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) =>
      Buffer.from([programIdIndex, accountKeyIndexes.length, data.length % 256, Math.floor(data.length / 256)]),
    ),
    ...compiledInstructions.flatMap(({ accountKeyIndexes, data }) => [
      Buffer.from(accountKeyIndexes),
      Buffer.from(data),
    ]),
  ]);
  const der = Buffer.concat([PKCS8_PREFIX, payer.secretKey.subarray(0, 32)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return Buffer.concat([message, sign(null, message, key)]);
}
