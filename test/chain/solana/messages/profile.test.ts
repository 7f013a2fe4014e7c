import { describe, expect, test } from 'vitest';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { GENESIS_HASH, USDC_MINT } from '../../../../local/solana/ground/addresses.ts';

describe.each(['local', 'testnet', 'mainnet'] as const)('the profile of %s', (mode) => {
  const { caip2, genesisHash } = solanaProfile(mode);

  test('names its network by the first 32 characters of the genesis hash', () => {
    expect(caip2).toBe(`solana:${genesisHash.slice(0, 32)}`);
  });
});

test('local mode imitates mainnet, and the local chain is of that profile', () => {
  expect(solanaProfile('local')).toEqual(solanaProfile('mainnet'));
  expect(solanaProfile('local')).toMatchObject({ genesisHash: GENESIS_HASH, usdc: USDC_MINT });
});

test('the networks share neither a name nor a mint', () => {
  const [mainnet, testnet] = [solanaProfile('mainnet'), solanaProfile('testnet')];
  expect(testnet.usdc).not.toBe(mainnet.usdc);
  const names = [mainnet, testnet].flatMap(({ caip2, v1Name, aliases }) => [caip2, v1Name, ...aliases]);
  expect(new Set(names).size).toBe(6);
});
