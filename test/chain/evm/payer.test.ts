import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { verifyTypedData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createEvmPayer } from '../../../chain/evm/payer.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { USDC_DOMAIN } from '../../support/chains/base-chain.ts';

const privateKey = generatePrivateKey();
const account = privateKeyToAccount(privateKey);
const payer = createEvmPayer(privateKey, evmProfile('base', 'mainnet'));
const TO = '0x1111111111111111111111111111111111111111';
const terms = () => ({
  to: TO,
  value: 10_000n,
  validAfter: 0,
  validBefore: 2_000_000_000,
  nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
});

test('what it signs is a transfer of USDC out of its own account, as a wallet would sign it', async () => {
  const transfer = terms();
  const fields = [
    'from:address',
    'to:address',
    'value:uint256',
    'validAfter:uint256',
    'validBefore:uint256',
    'nonce:bytes32',
  ];
  const types = {
    TransferWithAuthorization: fields.map((field) => {
      const [name = '', type = ''] = field.split(':');
      return { name, type };
    }),
  };
  const { validAfter, validBefore } = transfer;
  const message = {
    ...transfer,
    from: account.address,
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
  };
  const { signature } = payer.signTransfer(transfer);
  const primaryType = 'TransferWithAuthorization' as const;
  const signed = {
    address: account.address,
    domain: USDC_DOMAIN,
    types,
    primaryType,
    message,
  };
  expect(await verifyTypedData({ ...signed, signature })).toBe(true);
  expect(await verifyTypedData({ ...signed, message: { ...message, value: 10_001n }, signature })).toBe(false);
});

test.each([
  ['itself', () => account.address],
  ['the zero address', () => `0x${'0'.repeat(40)}`],
  ['the token', () => evmProfile('base', 'mainnet').usdc],
  ['what is no address', () => 'alice'],
])('it never signs a transfer to %s', (_what, to) => {
  expect(() => payer.signTransfer({ ...terms(), to: to() })).toThrow('may not go');
});

test('it never signs a transfer of nothing', () => {
  expect(() => payer.signTransfer({ ...terms(), value: 0n })).toThrow('more than zero');
});

test('its key cannot be read off it', () => {
  expect(inspect(payer, { depth: 9, showHidden: true })).not.toContain(privateKey.slice(2));
});

test.each(['', '0x', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, '11'.repeat(32), `0x${'1'.repeat(63)}g`])(
  '%j is refused as a key',
  (text) => {
    expect(() => createEvmPayer(text, evmProfile('base', 'mainnet'))).toThrow('a private key must be');
  },
);
