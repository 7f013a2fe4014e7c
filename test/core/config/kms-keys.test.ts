import { describe, expect, test } from 'vitest';
import { checkRoles, parseConfig, secretValues } from '../../../core/config/config.ts';

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const TREASURY = `kms:${ARN}@0x${'Ab'.repeat(20)}`;
const SOLANA = `kms:${ARN}@${'1'.repeat(32)}`;
const KEY = `0x${'12'.repeat(32)}`;
const KEYSTORE = { KEYSTORE: '/keys.json', KEYSTORE_PASSWORD_FILE: '/password' };

describe('a key in KMS', () => {
  test('is named by its ARN and its address, which is no secret', () => {
    const config = parseConfig({
      TREASURY_KEY: TREASURY,
      SOLANA_TREASURY_KEY: SOLANA,
      LANE_KEYS: `kms:${ARN}@0x${'1'.repeat(40)}`,
    });
    expect(config.base.treasuryKey).toBe(`kms:${ARN}@0x${'ab'.repeat(20)}`);
    expect(config.solana.treasuryKey).toBe(SOLANA);
    expect(secretValues(config)).toEqual([]);
  });

  test.each([
    'kms:1234',
    `kms:${ARN}`,
    `kms:${ARN}@0x12`,
    `kms:${ARN.replace('kms', 's3')}@0x${'1'.repeat(40)}`,
    SOLANA,
  ])('is not %s', (text) => {
    expect(() => parseConfig({ TREASURY_KEY: text })).toThrow('TREASURY_KEY');
  });

  test('has one job, like any other', () => {
    expect(() => parseConfig({ TREASURY_KEY: TREASURY, TASK_KEY: TREASURY })).toThrow('the same key as TREASURY_KEY');
  });

  test('may stand beside a keystore that does not hold it, and a private key may not', () => {
    expect(parseConfig({ TREASURY_KEY: TREASURY, ...KEYSTORE }, { LANE_KEYS: KEY }).base.laneKeys).toEqual([KEY]);
    expect(() => parseConfig({ LANE_KEYS: KEY, ...KEYSTORE })).toThrow('LANE_KEYS is set beside KEYSTORE');
    expect(() => parseConfig({ TREASURY_KEY: TREASURY, ...KEYSTORE }, { TREASURY_KEY: KEY })).toThrow(
      'kept in KEYSTORE as well',
    );
  });

  test('of a treasury needs a secret of the installation', () => {
    const env = {
      NETWORK_MODE: 'testnet',
      NETWORKS: 'base',
      BASE_RPC_URL: 'http://127.0.0.1:9',
      OPERATOR_NAME: 'The test',
      SUPPORT_URL: 'https://example.com/help',
      TERMS_URL: 'https://example.com/terms',
      TREASURY_KEY: TREASURY,
      LANE_KEYS: KEY,
    };
    expect(() => checkRoles(parseConfig(env), ['worker'])).toThrow('INSTALLATION_SECRET');
    checkRoles(parseConfig({ ...env, INSTALLATION_SECRET: 'ab'.repeat(32) }), ['worker']);
  });
});

test('addresses whose keys others know may stand in the environment and in a keystore: they are learned of later', () => {
  const [one, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
  const config = parseConfig({ ...KEYSTORE, COMPROMISED_ADDRESSES: other }, { COMPROMISED_ADDRESSES: one });
  expect(config.compromised).toEqual([one, other]);
});
