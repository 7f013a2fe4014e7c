import { Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { ensureOwnAccounts } from '../../../worker/solana/own-account.ts';
import { signersOf } from '../../chain/signing/signers.ts';

const profile = solanaProfile('local');
const { treasury, task: key } = signersOf({ treasury: Keypair.generate(), task: Keypair.generate() }, profile);
if (key === null) throw new Error('there is a task key');
const task = { key, account: tokenAccountOf(key.address, profile) };
const treasuryAccount = tokenAccountOf(treasury.address, profile);

async function ensure(lamports: bigint, ownTask: typeof task | null = null) {
  const lines: string[] = [];
  let sent = 0;
  const rpc = {
    tokenAccounts: async (of: readonly string[]) => of.map(() => ({ kind: 'none' })),
    lamports: async () => lamports,
    latestBlockhash: async () => ({ blockhash: treasury.address, lastValidHeight: 1 }),
    sendRaw: async () => void (sent += 1),
  };
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const worker = { rpc, treasury, treasuryAccount, task: ownTask, profile, log } as never;
  const outcome = await ensureOwnAccounts(worker).catch((error: unknown) => String(error));
  return { outcome, sent, told: lines.length };
}

test('an account that there is no SOL for is not said to be opened, and the wallet that needs it is named', async () => {
  const { outcome, sent, told } = await ensure(1_000_000n);
  expect([sent, told]).toEqual([0, 0]);
  expect(outcome).toContain(`the treasury ${treasury.address} has too little SOL to open our USDC account`);
});

test('with SOL it is opened, and the scan waits for it', async () => {
  const { outcome, sent, told } = await ensure(10_000_000n);
  expect([sent, told]).toEqual([1, 1]);
  expect(outcome).toContain(`${treasuryAccount} is being opened`);
});

test('so is that of the task address, for which the treasury pays', async () => {
  const { outcome, sent, told } = await ensure(10_000_000n, task);
  expect([sent, told]).toEqual([2, 2]);
  expect(outcome).toContain(`${treasuryAccount}, ${task.account} is being opened by the treasury ${treasury.address}`);
});
