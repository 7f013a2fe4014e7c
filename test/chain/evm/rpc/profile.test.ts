import { getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { evmProfile, isForbiddenAddress } from '../../../../chain/evm/rpc/profile.ts';

describe('profiles', () => {
  test('local mode imitates Base, because published clients refuse any other asset', () => {
    expect(evmProfile('base', 'local')).toEqual(evmProfile('base', 'mainnet'));
    expect(evmProfile('base', 'mainnet')).toMatchObject({ chainId: 8453, caip2: 'eip155:8453', v1Name: 'base' });
  });

  test('Base Sepolia has its own chain, token and EIP-712 name', () => {
    expect(evmProfile('base', 'testnet')).toMatchObject({ chainId: 84532, v1Name: 'base-sepolia', eip712Name: 'USDC' });
    expect(evmProfile('base', 'mainnet').eip712Name).toBe('USD Coin');
  });

  test.each(['local', 'testnet', 'mainnet'] as const)('the addresses of %s carry their checksum', (mode) => {
    const { usdc, multicall } = evmProfile('base', mode);
    expect(getAddress(usdc)).toBe(usdc);
    expect(getAddress(multicall)).toBe(multicall);
  });
});

describe('forbidden addresses', () => {
  const treasury = '0x1111111111111111111111111111111111111111';

  test.each([
    ['zero', '0x0000000000000000000000000000000000000000'],
    ['burn', '0x000000000000000000000000000000000000dEaD'],
    ['the first precompile', '0x0000000000000000000000000000000000000001'],
    ['P-256', '0x0000000000000000000000000000000000000100'],
    ['the last precompile', '0x00000000000000000000000000000000000001fF'],
    ['the first predeploy', '0x4200000000000000000000000000000000000000'],
    ['WETH', '0x4200000000000000000000000000000000000006'],
    ['the last predeploy', '0x42000000000000000000000000000000000007fF'],
    ['USDC on Base', evmProfile('base', 'mainnet').usdc],
    ['USDC on Base Sepolia', evmProfile('base', 'testnet').usdc],
    ['Multicall3', evmProfile('base', 'mainnet').multicall],
    ['bridged USDC', '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA'],
    ['EURC', '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'],
    ['Permit2', '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['the newest entry point', '0x433709009B8330FDa32311DF1C2AFA402eD8D009'],
    ['the code that all Safes share', '0xfb1bffC9d739B8D520DaF37dF666da4C687191EA'],
    ['ours', treasury],
  ] as const)('%s is forbidden in any case of letters', (_name, address) => {
    expect(isForbiddenAddress(address, [treasury])).toBe(true);
    expect(isForbiddenAddress(`0x${address.slice(2).toLowerCase()}`, [treasury])).toBe(true);
    expect(isForbiddenAddress(`0x${address.slice(2).toUpperCase()}`, [treasury])).toBe(true);
  });

  test.each([
    '0x0000000000000000000000000000000000000200',
    '0x41FfFfFFffFFFFfFFFfFFfFfFFFFfffFfffFFFff',
    '0x4200000000000000000000000000000000000800',
    '0x2222222222222222222222222222222222222222',
  ] as const)('%s is allowed', (address) => {
    expect(isForbiddenAddress(address, [treasury])).toBe(false);
  });

  test('our own address is only forbidden when it is named', () => {
    expect(isForbiddenAddress(treasury, [])).toBe(false);
  });
});
