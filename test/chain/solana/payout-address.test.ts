import { address } from '@solana/kit';
import { Keypair, PublicKey, StakeProgram, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { checkSolanaAddress } from '../../../chain/solana/payout-address.ts';
import { MEMO_PROGRAM } from '../../../chain/solana/messages/programs.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import { type AddressRefusal, ADDRESS_REFUSALS } from '../../../core/payments/payout-address.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { toTransaction, toWire, usdcAccount } from '../../local/solana/transfers.ts';
import { answeringAlone, startFakeNode } from '../evm/fake-node.ts';

const profile = solanaProfile('local');
const own = Keypair.generate().publicKey.toBase58();

let chain: SolanaChain;
let check: (text: string) => ReturnType<typeof checkSolanaAddress>;
let alice: Keypair;

const connect = (url: string) => createSolanaRpc({ url, timeoutMs: 5_000, profile, ownAccounts: [] });

beforeAll(async () => {
  chain = await startSolanaChain();
  const rpc = connect(chain.rpcUrl);
  check = (text) => checkSolanaAddress(rpc, profile, [own], text);
  alice = await chain.createKeypair({ usdc: microUsdc(1_000n), lamports: 10_000_000_000n });
});
afterAll(() => chain?.close());

/** Lands it as alice. */
async function run(instructions: TransactionInstruction[], signers: Keypair[] = []) {
  const { blockhash } = await connect(chain.rpcUrl).latestBlockhash();
  const transaction = toTransaction({ payer: alice, blockhash, instructions, signers: [alice, ...signers] });
  await chain.rpc('sendTransaction', toWire(transaction), { encoding: 'base64', preflightCommitment: 'processed' });
  chain.mine();
}

/** A new account with a key of its own that this program owns. */
async function accountOf(programId: PublicKey, space: number): Promise<string> {
  const account = Keypair.generate();
  const fields = { fromPubkey: alice.publicKey, newAccountPubkey: account.publicKey, lamports: 10_000_000 };
  await run([SystemProgram.createAccount({ ...fields, space, programId })], [account]);
  return account.publicKey.toBase58();
}

/** SetAuthority, the token program's instruction 6, of the account's owner (2). */
async function giveAway(owner: Keypair, to: PublicKey): Promise<string> {
  const keys = [
    { pubkey: usdcAccount(owner.publicKey), isSigner: false, isWritable: true },
    { pubkey: owner.publicKey, isSigner: true, isWritable: false },
  ];
  const data = Buffer.concat([Buffer.from([6, 2, 1]), to.toBuffer()]);
  const programId = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  await run([new TransactionInstruction({ programId, keys, data })], [owner]);
  return owner.publicKey.toBase58();
}

async function barred(): Promise<string> {
  const person = await chain.createKeypair({ usdc: microUsdc(1n) });
  await chain.freezeUsdc(person.publicKey);
  chain.mine();
  return person.publicKey.toBase58();
}

async function nonceAccount(): Promise<string> {
  const account = Keypair.generate();
  const fields = { fromPubkey: alice.publicKey, noncePubkey: account.publicKey, lamports: 10_000_000 };
  const { instructions } = SystemProgram.createNonceAccount({ ...fields, authorizedPubkey: alice.publicKey });
  await run(instructions, [account]);
  return account.publicKey.toBase58();
}

/** Programs are deployed under keys, so that their addresses are on the curve. This one is a copy of the memo program. */
function program(): string {
  const { blocks, versions, setAccount } = chain.chain;
  const found = address(Keypair.generate().publicKey.toBase58());
  setAccount(found, versions.read(address(MEMO_PROGRAM), blocks.last().height));
  chain.mine();
  return found;
}

const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const vault = () => PublicKey.findProgramAddressSync([Buffer.from('vault')], alice.publicKey)[0].toBase58();

describe('no money goes to', () => {
  test.each<[string, AddressRefusal, () => string | Promise<string>]>([
    ['nothing', 'not_an_address', () => ''],
    ['a name', 'not_an_address', () => 'alice.sol'],
    ['the beginning of an address', 'not_an_address', () => own.slice(0, 40)],
    ['an address on Base', 'not_an_address', () => '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['our wallet', 'ours', () => own],
    ['zero', 'system', () => SystemProgram.programId.toBase58()],
    ['the incinerator', 'nobody', () => '1nc1nerator11111111111111111111111111111111'],
    ['the token program', 'system', () => 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['USDC itself', 'token', () => profile.usdc],
    ['wrapped SOL', 'token', () => 'So11111111111111111111111111111111111111112'],
    ['a mint that nobody has heard of', 'token', () => accountOf(TOKEN_2022, 82)],
    ['a person’s token account', 'token_account', () => usdcAccount(alice.publicKey).toBase58()],
    ['a token account with a key of its own', 'token_account', () => accountOf(TOKEN_2022, 165)],
    ['an account that stakes', 'special_account', () => accountOf(StakeProgram.programId, StakeProgram.space)],
    ['a durable nonce', 'special_account', () => nonceAccount()],
    ['a program', 'program', () => program()],
    ['what a program owns', 'program', () => accountOf(new PublicKey(own), 8)],
    ['what only a program can act for', 'program', () => vault()],
    ['a token account that is not open yet', 'program', () => tokenAccountOf(own, profile)],
    ['a wallet that the issuer has barred', 'blacklisted', () => barred()],
  ])('%s: %s', async (_name, reason, toText) => {
    expect(await check(await toText())).toEqual({ kind: 'refused', reason });
    expect(ADDRESS_REFUSALS[reason]).toMatch(/\.$/);
  });

  test('a wallet that gave its token account to another owner', async () => {
    const owner = await chain.createKeypair({ usdc: microUsdc(1n) });
    expect(await check(await giveAway(owner, alice.publicKey))).toEqual({ kind: 'refused', reason: 'foreign_account' });
  });
});

describe('money may go to', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['a wallet that has USDC', () => alice.publicKey.toBase58()],
    ['a wallet that nobody has used', () => Keypair.generate().publicKey.toBase58()],
    [
      'a wallet that has SOL only',
      async () => (await chain.createKeypair({ lamports: 1_000_000n })).publicKey.toBase58(),
    ],
  ])('%s', async (_name, toText) => {
    const wallet = await toText();
    expect(await check(` ${wallet}\n`)).toEqual({ kind: 'fine', address: wallet });
  });
});

test('a node that does not answer, or not to the question, leaves it open', async () => {
  const node = await startFakeNode(answeringAlone(() => ({ context: { slot: 1 }, value: [null] })));
  for (const url of [node.url, 'http://127.0.0.1:1']) {
    expect(await checkSolanaAddress(connect(url), profile, [], own)).toEqual({ kind: 'unavailable' });
  }
  expect(node.requests()).toBe(1);
});
