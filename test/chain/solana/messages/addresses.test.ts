import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { isAddress, isForbiddenAddress, tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { usdcAccount } from '../../../local/solana/transfers.ts';

const profile = solanaProfile('local');
const wallet = Keypair.generate().publicKey;
const address = wallet.toBase58();

describe('an address', () => {
  test.each([
    ['a wallet', address, true],
    ['the system program, all zeros', '1'.repeat(32), true],
    ['one zero too few', '1'.repeat(31), false],
    ['one zero too many', '1'.repeat(33), false],
    ['a character too few', address.slice(0, -2), false],
    ['a look-alike', address.replace(/.$/, '0'), false],
    ['a space before it', ` ${address}`, false],
    ['nothing', '', false],
    ['an address of Base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', false],
    ['the base58 of 64 bytes', 'z'.repeat(87), false],
  ])('%s: %s is %s', (_name, text, expected) => {
    expect(isAddress(text)).toBe(expected);
  });
});

test('the token account is the one that wallets look for', () => {
  expect(tokenAccountOf(address, profile)).toBe(usdcAccount(wallet).toBase58());
  expect(tokenAccountOf(address, solanaProfile('testnet'))).not.toBe(tokenAccountOf(address, profile));
});

describe('money never comes from or goes to', () => {
  test.each([
    ['what is no address', 'alice'],
    ['nothing', ''],
    ['our wallet', address],
    ['our token account', tokenAccountOf(address, profile)],
    ['the token account of anybody', tokenAccountOf(Keypair.generate().publicKey.toBase58(), profile)],
    ['an address that programs own', PublicKey.findProgramAddressSync([Buffer.from('x')], wallet)[0].toBase58()],
    ['the system program', '11111111111111111111111111111111'],
    ['the token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['the newer token program', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'],
    ['the program of token accounts', 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'],
    ['the memo program', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'],
    ['the older memo program', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'],
    ['the compute budget', 'ComputeBudget111111111111111111111111111111'],
    ['the upgradeable loader', 'BPFLoaderUpgradeab1e11111111111111111111111'],
    ['the vote program', 'Vote111111111111111111111111111111111111111'],
    ['the stake program', 'Stake11111111111111111111111111111111111111'],
    ['the stake configuration', 'StakeConfig11111111111111111111111111111111'],
    ['the configuration program', 'Config1111111111111111111111111111111111111'],
    ['the clock', 'SysvarC1ock11111111111111111111111111111111'],
    ['the rent', 'SysvarRent111111111111111111111111111111111'],
    ['wrapped SOL', 'So11111111111111111111111111111111111111112'],
    ['the mint of USDC', profile.usdc],
    ['the mint of another network', solanaProfile('testnet').usdc],
    ['the incinerator', '1nc1nerator11111111111111111111111111111111'],
  ])('%s', (_name, forbidden) => {
    expect(isForbiddenAddress(forbidden, [address])).toBe(true);
  });

  test('control: a wallet that is not ours may pay and be paid', () => {
    expect(isForbiddenAddress(address, [])).toBe(false);
    expect(isForbiddenAddress(Keypair.generate().publicKey.toBase58(), [address])).toBe(false);
  });
});
