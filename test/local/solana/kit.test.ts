/** Unmodified kit on the local chain: HTTP for reading and sending, a websocket for confirming. */
import {
  type KeyPairSigner,
  type Signature,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  mainnet,
  pipe,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  TOKEN_PROGRAM_ADDRESS,
  fetchMint,
  fetchToken,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { AddressLookupTableProgram } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { USDC_MINT } from '../../../local/solana/ground/addresses.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { randomAddress, toTransaction } from './transfers.ts';

let chain: SolanaChain;
let alice: KeyPairSigner;
let secretKey: Uint8Array;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 10 });
});
afterAll(() => chain?.close());
beforeEach(async () => {
  const keypair = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });
  secretKey = keypair.secretKey;
  alice = await createKeyPairSignerFromBytes(secretKey);
});

function clients() {
  return {
    rpc: createSolanaRpc(mainnet(chain.rpcUrl)),
    rpcSubscriptions: createSolanaRpcSubscriptions(mainnet(chain.wsUrl)),
  };
}

async function toTransfer(amount: bigint) {
  const { rpc } = clients();
  const owner = address(randomAddress().toBase58());
  const [source] = await findAssociatedTokenPda({
    mint: USDC_MINT,
    owner: alice.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  const [ata] = await findAssociatedTokenPda({ mint: USDC_MINT, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({ payer: alice, ata, owner, mint: USDC_MINT }),
    getTransferCheckedInstruction({ source, mint: USDC_MINT, destination: ata, authority: alice, amount, decimals: 6 }),
  ];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(alice, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsTransactionWithBlockhashLifetime(transaction);
  return { transaction, ata, owner };
}

test.each(['processed', 'confirmed', 'finalized'] as const)(
  'sends, and confirms through the websocket: %s',
  async (commitment) => {
    const { rpc, rpcSubscriptions } = clients();
    const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
    const { transaction, ata, owner } = await toTransfer(1_250_000n);
    await sendAndConfirm(transaction, { commitment });
    expect(await chain.usdcBalance(owner)).toBe(1_250_000n);
    const token = await fetchToken(rpc, ata, { commitment });
    expect(token.data).toMatchObject({ amount: 1_250_000n, owner });
    const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
    const levels = ['processed', 'confirmed', 'finalized'];
    expect(levels.indexOf(value[0]!.confirmationStatus!)).toBeGreaterThanOrEqual(levels.indexOf(commitment));
  },
);

test('a transaction that is dropped is given up when its blockhash has expired', async () => {
  const { rpc, rpcSubscriptions } = clients();
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  const { transaction } = await toTransfer(1n);
  await chain.setFault({ kind: 'drop', times: 1 });
  const failure = await sendAndConfirm(transaction, { commitment: 'confirmed' }).catch((error: unknown) => error);
  expect(isSolanaError(failure, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)).toBe(true);
  expect(await chain.fired('drop')).toBe(1);
});

test('a refusal names the error of the transaction', async () => {
  const { rpc } = clients();
  const { transaction } = await toTransfer(5_000_001n);
  const wire = getBase64EncodedWireTransaction(transaction);
  const failure = await rpc
    .sendTransaction(wire, { encoding: 'base64' })
    .send()
    .catch((error: unknown) => error);
  expect(isSolanaError(failure, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
  expect(String((failure as Error).cause)).toContain('custom program error: #1');
});

test('reads mints, accounts, transactions and blocks', async () => {
  const { rpc, rpcSubscriptions } = clients();
  const mint = await fetchMint(rpc, USDC_MINT);
  expect(mint.data).toMatchObject({ decimals: 6, isInitialized: true });
  const { transaction } = await toTransfer(3n);
  await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(transaction, { commitment: 'confirmed' });
  const signature: Signature = getSignatureFromTransaction(transaction);
  const found = await rpc
    .getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0, encoding: 'json' })
    .send();
  expect(found?.meta).toMatchObject({ err: null, fee: 5_000n });
  expect(found?.meta?.postTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.amount)).toContain('3');
  const block = await rpc
    .getBlock(found!.slot, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
      transactionDetails: 'signatures',
    })
    .send();
  expect(block?.signatures).toContain(signature);
  const listed = await rpc.getSignaturesForAddress(alice.address, { commitment: 'confirmed', limit: 1 }).send();
  expect(listed[0]).toMatchObject({ signature, err: null, slot: found!.slot });
});

test('reads the addresses of a lookup table', async () => {
  const payer = await chain.createKeypair({ lamports: 1_000_000_000n });
  const connection = chain.connection();
  // Not every slot has a block, and only one with a block will do.
  const slot = await connection.getSlot();
  const recentSlot = (await connection.getBlocks(slot - 5, slot - 1)).at(-1) ?? 0;
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    recentSlot,
  });
  const entries = [randomAddress(), randomAddress()];
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: payer.publicKey,
    payer: payer.publicKey,
    addresses: entries,
  });
  const { blockhash } = await connection.getLatestBlockhash();
  await connection.sendTransaction(toTransaction({ payer, instructions: [create, extend], blockhash }));
  chain.finalize();
  const found = await fetchAddressesForLookupTables([address(table.toBase58())], clients().rpc);
  expect(Object.values(found)).toEqual([entries.map(String)]);
});

test('the slots of the websocket are those of HTTP', async () => {
  const { rpc, rpcSubscriptions } = clients();
  const abort = new AbortController();
  const notifications = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal: abort.signal });
  const seen: bigint[] = [];
  for await (const { slot, parent, root } of notifications) {
    expect(root).toBeLessThan(parent);
    expect(parent).toBeLessThan(slot);
    seen.push(slot);
    if (seen.length === 3) abort.abort();
  }
  expect(await rpc.getSlot({ commitment: 'processed' }).send()).toBeGreaterThanOrEqual(seen[2]!);
});
