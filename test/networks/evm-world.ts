import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { createWalletClient, encodeFunctionData, http, parseAbi, parseAbiItem, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { CANCELLATION_TYPES, cancellationDomain } from '../../chain/evm/wallet-forms.ts';
import { createTransferIds } from '../../chain/transfer-ids.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { microUsdc } from '../../core/money.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import { startRuledNode, type RuledNode } from '../../local/evm/ruled-node.ts';
import type { EvmWorker } from '../../worker/dependencies.ts';
import { startEvmChain, testChainOf, usdcDomainOf } from '../support/chains/base-chain.ts';
import { makeProof, type ProofOptions as ProofParts, type TestSigner } from '../support/pay.ts';
import { startPacemaker } from '../support/chains/pacemaker.ts';
import { startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { derivingKeyOf } from '../../service/networks/deriving-key.ts';
import type { EvmKeys } from '../../service/networks/evm.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { Flaw, Installation, Payer, ProofOptions, Service, World } from './network.ts';

type Hex = `0x${string}`;
/** Until what is sent counts as landed, whatever the depth that the network wants. */
const CREDITED_AFTER_MS = 100;
const OTHER: Hex = '0x00000000000000000000000000000000000000ff';
const TOKEN_ABI = parseAbi([
  'function transfer(address to, uint256 value)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
]);
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** What only this family has. */
export type EvmWorld = Omit<World<EvmService>, 'install'> & {
  install: () => EvmInstallation;
  /** Anyone who knows this key. */
  knows: (key: Hex) => Payer;
  chain: EvmChain;
  node: RuledNode;
};
export type EvmInstallation = Installation<EvmService> & {
  /** As the next start has them. */
  keys: EvmKeys & { treasuryKey: Hex; taskKey: Hex };
  /** Puts a new key in the place of one, and keeps the old one. */
  rotate: (which: 'treasury' | 'task') => void;
};

/** A fresh local chain with the rules of the network; everything of ours reaches it through a proxy that can misbehave. */
export async function openEvm(network: EvmNetwork): Promise<EvmWorld> {
  const chain = await openChain(network);
  const { rules } = evmProfile(network, 'local');
  const blockMs = CREDITED_AFTER_MS / (1 + rules.creditedDepth);
  const pacemaker = startPacemaker(chain.rpcUrl, {
    soonMs: blockMs,
    followMs: blockMs,
    following: 3 + rules.creditedDepth,
  });
  const node = await startRuledNode(chain.rpcUrl, rules);
  // Where anvil keeps to the rules by itself, each question goes one way less.
  const proxy = await startRpcProxy(rules.safeTag === 'safe' ? chain.rpcUrl : node.url);
  const dir = mkdtempSync(join(tmpdir(), `pennypost-${network}-world-`));
  const asAdmin = (functionName: 'blacklist' | 'unBlacklist', address: string) =>
    chain.sendAsAdmin(encodeFunctionData({ abi: TOKEN_ABI, functionName, args: [address as Hex] }));

  return {
    chain,
    node,
    install() {
      const keys: EvmInstallation['keys'] = {
        treasuryKey: generatePrivateKey(),
        taskKey: generatePrivateKey(),
        laneKeys: [generatePrivateKey(), generatePrivateKey()],
      };
      const databasePath = join(dir, `${randomBytes(6).toString('hex')}.sqlite`);
      const places = { network, rpcUrl: proxy.url, fundEth: chain.fundEth, databasePath, isTied: true };
      return {
        keys,
        rotate(which) {
          const [now, former] = KEYS[which];
          keys[former] = [...(keys[former] ?? []), keys[now]];
          keys[now] = generatePrivateKey();
        },
        async start({ failpoint = () => undefined, ...options } = {}) {
          const decorateWorker = (worker: EvmWorker) => ({ ...worker, failpoint });
          const transferIdOf = createTransferIds(new Map([[network, derivingKeyOf(keys, undefined)]]));
          const service = await startTestService({
            transferIdOf,
            ...options,
            ...places,
            keys: { ...keys },
            decorateWorker,
          });
          return toService(chain, service, keys.treasuryKey);
        },
      };
    },
    async createPayer(amount) {
      return toPayer(chain, await chain.createAccount({ usdc: microUsdc(amount), wei: 0n }));
    },
    knows: (key) => toPayer(chain, privateKeyToAccount(key)),
    createRecipient: async () => `0x${randomBytes(20).toString('hex')}`,
    usdcBalance: (address) => chain.usdcBalance(address as Hex),
    fundUsdc: (address, amount) => chain.fundUsdc(address as Hex, microUsdc(amount)),
    bar: async (address) => void (await asAdmin('blacklist', address)),
    unbar: async (address) => void (await asAdmin('unBlacklist', address)),
    finalize: async () => void (await chain.mine(3)),
    // Longer than a proof of ours is valid, shorter than payouts are.
    expireProofs: () => chain.advanceTime(90),
    holdBlocks: pacemaker.hold,
    stepBlock: async () => void (await chain.mine(1 + rules.creditedDepth)),
    releaseBlocks: async () => pacemaker.release(),
    async spoilBroadcasts(kind, times) {
      const fault = proxy.fail('eth_sendRawTransaction', { kind }, times);
      return { fired: async () => fault.fired(), heal: async () => fault.heal() };
    },
    async close() {
      await pacemaker.hold();
      await proxy.close();
      await node.close();
      await chain.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const KEYS = {
  treasury: ['treasuryKey', 'formerTreasuryKeys'],
  task: ['taskKey', 'formerTaskKeys'],
} as const;

async function openChain(network: EvmNetwork) {
  return { ...(await startEvmChain(network, { blockTimeMs: 0 })), network };
}
type EvmChain = Awaited<ReturnType<typeof openChain>>;

function toService(chain: EvmChain, service: TestService, treasuryKey: Hex): EvmService {
  const { url, store, worker, assertSound, close, parts, base } = service;
  const lanes = parts.lanes.map(({ address }) => address);
  const eachLane = async (act: (lane: Hex) => Promise<unknown>) => void (await Promise.all(lanes.map(act)));
  return {
    url,
    store,
    worker,
    assertSound,
    close,
    treasury: parts.treasury.address,
    treasuryKey,
    parts,
    base,
    transferIdOf: base.transferIdOf,
    async watchPayouts() {
      const fromBlock = (await chain.client.getBlockNumber()) + 1n;
      return () => countPayouts(chain, fromBlock, lanes, parts.treasury.address);
    },
    drainGas: () => eachLane((lane) => chain.rpc('anvil_setBalance', lane, '0x0')),
    refuel: () => eachLane((lane) => chain.fundEth(lane, 10n ** 20n)),
  };
}

export type EvmService = Service & { treasuryKey: Hex } & Pick<TestService, 'parts' | 'base'>;

/** Transactions of our lanes, without those that brought payers' money. */
async function countPayouts(chain: EvmChain, fromBlock: bigint, lanes: Hex[], treasury: Hex): Promise<number> {
  const toBlock = await chain.client.getBlockNumber();
  if (toBlock < fromBlock) return 0;
  const senders = await chain.sendersOf({ fromBlock, toBlock });
  const sent = senders.filter((sender) => lanes.includes(sender.toLowerCase() as Hex));
  const args = { to: treasury };
  const inbound = await chain.client.getLogs({ address: chain.usdcAddress, event: TRANSFER, args, fromBlock, toBlock });
  return sent.length - new Set(inbound.map(({ transactionHash }) => transactionHash)).size;
}

function toPayer(chain: EvmChain, account: PrivateKeyAccount): Payer {
  return {
    address: account.address.toLowerCase(),
    prove: (service, options) => prove(chain, account, service as EvmService, options),
    stockClient: async () => registerExactEvmScheme(new x402Client(), { signer: account }),
    signCancellation: (txnId, validBefore) =>
      account.signTypedData({
        domain: cancellationDomain(evmProfile(chain.network, 'local')),
        types: CANCELLATION_TYPES,
        primaryType: 'Cancel',
        message: { txnId: BigInt(txnId), validBefore: BigInt(validBefore) },
      }),
    async send(to, amount) {
      await chain.fundEth(account.address, 10n ** 18n);
      const wallet = createWalletClient({ account, chain: testChainOf(chain.network), transport: http(chain.rpcUrl) });
      const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to as Hex, amount] });
      const hash = await wallet.sendTransaction({ to: chain.usdcAddress, data });
      await chain.client.waitForTransactionReceipt({ hash });
    },
  };
}

async function prove(
  chain: EvmChain,
  account: PrivateKeyAccount,
  service: EvmService,
  { microUsdc: value, version = 2, flaw }: ProofOptions,
): Promise<string> {
  // Where the case has let time pass, the chain's clock is ahead of ours.
  const now = Math.max(Math.floor(Date.now() / 1000), Number(await chain.latestTimestamp()));
  const good = {
    from: account.address,
    signer: account,
    payTo: service.treasury as Hex,
    on: chain.network,
    value,
    version,
    validBefore: now + 60,
  };
  if (flaw === undefined) return makeProof(good);
  if (flaw === 'that is no payment at all') return Buffer.from('{}').toString('base64');
  return makeProof({ ...good, ...spoil(flaw, { ...good, chain }, service) });
}

type Good = { signer: PrivateKeyAccount; value: bigint; chain: EvmChain };

/** What is changed in a good proof. */
function spoil(
  flaw: Exclude<Flaw, 'that is no payment at all'>,
  { signer, value, chain }: Good,
  service: EvmService,
): Partial<ProofParts> {
  switch (flaw) {
    case 'signed for another amount':
      return { value: value - 1n, acceptedAmount: value.toString() };
    case 'signed for another payee':
      // The first generation does not repeat the terms, so that the signed ones are looked at.
      return { payTo: OTHER, version: 1 };
    case 'signed for another token':
      return { signer: forOtherToken(signer, chain.network) };
    case 'signed by another key':
      return { signer: privateKeyToAccount(generatePrivateKey()) };
    case 'of an accepted amount that is not the price':
      return { acceptedAmount: '1' };
    case 'of an accepted payee that is not ours':
      return { payTo: OTHER };
    case 'of an accepted token that is not USDC':
      return { asset: OTHER };
    case 'for a network that is not offered':
      return { network: 'eip155:1' };
    case 'whose time was over before it came':
      return { validBefore: Math.floor(Date.now() / 1000) - 5 };
    case 'of our own treasury': {
      const treasury = privateKeyToAccount(service.treasuryKey);
      return { from: treasury.address, signer: treasury };
    }
  }
}

/** Signs everything for another contract than the one that is named. */
function forOtherToken(account: PrivateKeyAccount, network: EvmNetwork): TestSigner {
  const signTypedData: PrivateKeyAccount['signTypedData'] = (message) =>
    account.signTypedData({
      ...message,
      domain: { ...usdcDomainOf(network), verifyingContract: OTHER },
    } as typeof message);
  return { ...account, signTypedData };
}
