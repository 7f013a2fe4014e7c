import { feesFor, gasLimitFor } from '../../chain/evm/rpc/fees.ts';
import { evmProfile, type EvmProfile } from '../../chain/evm/rpc/profile.ts';
import { domainOf } from '../../chain/evm/rpc/token-domain.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { NETWORK_VARIABLES } from '../../core/config/networks.ts';
import { secondRpcName } from '../../core/config/variables.ts';
import { coinOf, inFamily, networkTitle, type EvmNetwork, type Network } from '../../core/networks.ts';
import { openEvmKey, openSolanaKey } from '../networks/own-keys.ts';
import { fine, looking, note, wrong, type Finding } from './finding.ts';
import type { World } from './world.ts';

/** What a lane or a wallet has to have for the service to offer its network: the same as for a batch of ten. */
const BATCH_ITEMS = 10;
const CLOCK_MAX_SECONDS = 120;
/** The least with which a network is offered; see `worker/solana/outage.ts`. */
const FEE_PAYER_LEAST = 1_890_880n;
const TREASURY_LEAST = 3_930_160n;

/** Each network that is offered: its nodes, its token, its wallets. */
export async function checkChains(world: World): Promise<Finding[]> {
  const found = await Promise.all(world.config.networks.map((network) => checkNetwork(world, network)));
  return found.flat();
}

async function checkNetwork(world: World, network: Network): Promise<Finding[]> {
  const { rpcUrl, secondRpcUrl } = world.config[network];
  const name = NETWORK_VARIABLES[network].rpcUrl;
  const title = networkTitle(network, null);
  if (rpcUrl === undefined) return [wrong(title, `${name} is not set`, `set ${name} to a node of this chain`)];
  const second = secondRpcName(network);
  const others =
    secondRpcUrl === undefined
      ? [note(title, 'one node is believed alone', `set ${second} to a node of another provider`)]
      : await checkNode(world, network, { name: second, url: secondRpcUrl });
  const first = await checkNode(world, network, { name, url: rpcUrl });
  // A wrong chain has other balances, which would say nothing.
  if (first.some(({ state }) => state === 'wrong')) return [...first, ...others];
  return [...first, ...others, ...(await checkWallets(world, network, rpcUrl))];
}

type Node = { name: string; url: string };

async function checkNode(world: World, network: Network, { name, url }: Node): Promise<Finding[]> {
  const place = inFamily(network);
  const subject = `${networkTitle(network, null)}, ${name}`;
  const found = await looking(
    subject,
    `check that ${name} is right and that the node answers this computer`,
    async () => {
      switch (place.family) {
        case 'evm':
          return checkEvmNode(world, place.network, { name, url });
        case 'svm':
          return checkSolanaNode(world, { name, url });
      }
    },
  );
  return [...found];
}

async function checkEvmNode(world: World, network: EvmNetwork, { name, url }: Node): Promise<Finding[]> {
  const profile = evmProfile(network, world.config.mode);
  const node = world.asks.evm(network, url);
  const title = networkTitle(network, profile.caip2);
  const subject = `${networkTitle(network, null)}, ${name}`;
  const chainId = await node.chainId();
  if (chainId !== profile.chainId) {
    return [wrong(subject, `it is chain ${chainId}`, `set ${name} to a node of ${title}, chain ${profile.chainId}`)];
  }
  const [token, hasMulticall, { seconds }] = await Promise.all([node.token(), node.hasMulticall(), node.newest()]);
  const offBy = Math.abs(world.nowMs / 1_000 - seconds);
  return [
    fine(subject, `chain ${chainId}`),
    ...tokenFindings(world, profile, token),
    ...(hasMulticall ? [] : [wrong(subject, 'there is no Multicall3', `use a node of ${title}`)]),
    offBy > CLOCK_MAX_SECONDS
      ? wrong(subject, `its newest block is ${Math.round(offBy)} s away from our clock`, CLOCK_CURE)
      : fine(subject, 'the clocks agree'),
  ];
}

const CLOCK_CURE = 'let a time service set the clock of this computer (timedatectl set-ntp true), or use another node';

type Token = { codeHash: string | null; domain: string | null };

/** The domain binds chain, address, name and version: another token cannot have the same. */
function tokenFindings({ lastPass }: World, profile: EvmProfile, { codeHash, domain }: Token): Finding[] {
  const subject = `${networkTitle(profile.network, null)}, USDC`;
  const cure = `use a node of ${networkTitle(profile.network, profile.caip2)}; USDC is at ${profile.usdc} there`;
  if (codeHash === null) return [wrong(subject, `there is no contract at ${profile.usdc}`, cure)];
  if (domain !== domainOf(profile))
    return [wrong(subject, 'the contract signs for another name, version or chain', cure)];
  const before = lastPass?.tokens[profile.caip2];
  if (before !== undefined && before !== codeHash) {
    const text = `the code of the contract has changed since the last pass: ${codeHash}`;
    return [note(subject, text, 'read at its issuer why; approve again when the reason is known')];
  }
  return [fine(subject, `code ${codeHash.slice(0, 18)}…`)];
}

async function checkSolanaNode({ config, asks }: World, { name, url }: Node): Promise<Finding[]> {
  const profile = solanaProfile(config.mode);
  const subject = `${networkTitle('solana', null)}, ${name}`;
  const node = asks.solana(url);
  const genesis = await node.genesisHash();
  if (genesis !== profile.genesisHash) {
    const cure = `set ${name} to a node of ${profile.v1Name}, whose genesis is ${profile.genesisHash}`;
    return [wrong(subject, `it is another cluster, of genesis ${genesis}`, cure)];
  }
  const hasMint = await node.hasMint();
  return [
    fine(subject, profile.v1Name),
    hasMint
      ? fine(`${networkTitle('solana', null)}, USDC`, profile.usdc)
      : wrong(`${networkTitle('solana', null)}, USDC`, 'there is no such mint', `use a node of ${profile.v1Name}`),
  ];
}

async function checkWallets(world: World, network: Network, url: string): Promise<readonly Finding[]> {
  const place = inFamily(network);
  const subject = `${networkTitle(network, null)}, gas`;
  return looking(subject, 'check that the node answers', async () => {
    switch (place.family) {
      case 'evm': {
        const { laneKeys = [] } = world.config[place.network];
        const { rules } = evmProfile(place.network, world.config.mode);
        const { balanceWei, newest } = world.asks.evm(place.network, url);
        const price = feesFor((await newest()).baseFee, rules)?.maxFeePerGas ?? rules.feeMax;
        const least = gasLimitFor(BATCH_ITEMS) * price;
        const addresses = laneKeys.map((key) => openEvmKey(key).address);
        return fundsOf(network, addresses, balanceWei, { least, decimals: 18 });
      }
      case 'svm': {
        const { treasuryKey, feePayerKey } = world.config[place.network];
        const wallets = [
          { key: feePayerKey, least: FEE_PAYER_LEAST },
          { key: treasuryKey, least: TREASURY_LEAST },
        ].flatMap(({ key, least }) => (key === undefined ? [] : [{ address: openSolanaKey(key).address, least }]));
        const { lamports } = world.asks.solana(url);
        const found = wallets.map(({ address, least }) =>
          fundsOf(network, [address], lamports, { least, decimals: 9 }),
        );
        return (await Promise.all(found)).flat();
      }
    }
  });
}

async function fundsOf(
  network: Network,
  addresses: readonly string[],
  balanceOf: (address: string) => Promise<bigint>,
  { least, decimals }: { least: bigint; decimals: number },
): Promise<Finding[]> {
  const subject = `${networkTitle(network, null)}, gas`;
  const coin = coinOf(network);
  const text = (units: bigint) => `${Number(units) / 10 ** decimals} ${coin}`;
  return Promise.all(
    addresses.map(async (address) => {
      const balance = await balanceOf(address);
      if (balance >= least) return fine(subject, `${address} has ${text(balance)}`);
      return wrong(subject, `${address} has ${text(balance)}`, `send ${coin} to ${address}: at least ${text(least)}`);
    }),
  );
}
