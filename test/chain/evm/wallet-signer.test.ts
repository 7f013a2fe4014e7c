import { randomBytes } from 'node:crypto';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { expect, test } from 'vitest';
import { authorizationDigest, recoverSigner } from '../../../chain/evm/authorization.ts';
import { cancellationDigest } from '../../../chain/evm/cancellation.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmSigner } from '../../../chain/evm/wallet-signer.ts';
import { exactEvmPayloadSchema } from '../../../core/payments/x402.ts';

const account = privateKeyToAccount(generatePrivateKey());
const payTo = '0x1111111111111111111111111111111111111111';
const NOW_MS = 1_800_000_000_000;
const transfer = (more: object = {}) => ({
  payTo,
  feePayer: null,
  amountMicroUsdc: 10_000n,
  binding: randomBytes(32).toString('hex'),
  ...more,
});

test.each([
  ['an account', account],
  ['a wallet client', createWalletClient({ account, chain: base, transport: http('http://127.0.0.1:1') })],
])('%s signs what the token of each network checks', async (_title, owner) => {
  for (const [network, testnet] of [
    ['base', false],
    ['base', true],
    ['polygon', false],
  ] as const) {
    const profile = evmProfile(network, testnet ? 'testnet' : 'mainnet');
    const signer = createEvmSigner(owner, { network, testnet });
    const { payload, end } = await signer.sign(transfer(), NOW_MS);
    const { authorization, signature } = exactEvmPayloadSchema.parse(payload);
    const hex = (text: string) => text as `0x${string}`;
    const { from, to, nonce } = {
      from: hex(authorization.from),
      to: hex(authorization.to),
      nonce: hex(authorization.nonce),
    };
    const digest = authorizationDigest(profile)({
      ...authorization,
      from,
      to,
      nonce,
      value: BigInt(authorization.value),
    });
    expect(recoverSigner(digest, hex(signature))).toBe(account.address.toLowerCase());
    expect([authorization.value, authorization.validAfter, end]).toEqual(['10000', 0, { validBefore: 1_800_000_240 }]);
    const cancelled = await signer.signCancellation({ txnId: 7, validBefore: 9 });
    const taken = recoverSigner(cancellationDigest(profile, { txnId: 7, validBefore: 9 }), hex(cancelled));
    expect(taken).toBe(account.address.toLowerCase());
  }
});

test.each([
  ['to where money is lost', { payTo: `0x${'0'.repeat(40)}` }],
  ['to what is no address', { payTo: 'alice' }],
  ['of nothing', { amountMicroUsdc: 0n }],
])('no transfer is signed %s', async (_title, wrong) => {
  await expect(createEvmSigner(account).sign(transfer(wrong), NOW_MS)).rejects.toThrow();
});

test('a header is over a minute after its time, and one of another family is never known to be', async () => {
  const { isOver } = createEvmSigner(account);
  const end = { validBefore: 1_800_000_000 };
  expect(await isOver(end, NOW_MS + 60_000)).toBe(false);
  expect(await isOver(end, NOW_MS + 61_000)).toBe(true);
  expect(await isOver({ lastValidHeight: 1 }, NOW_MS * 2)).toBe(false);
});

test('an account that answers no signature is found out', async () => {
  const mute = { address: account.address, signTypedData: async () => 'yes' };
  await expect(createEvmSigner(mute).sign(transfer(), NOW_MS)).rejects.toThrow('signature in hex');
});
